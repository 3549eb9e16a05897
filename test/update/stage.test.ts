import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { releaseSource } from "../../src/update/source.ts";
import { stageRelease } from "../../src/update/stage.ts";
import { parseSums } from "../../src/update/sums.ts";
import { platform, type ReleaseServer, releaseServer } from "../support/release-server.ts";
import { tempDir } from "../support/temp.ts";

const says = (version: string) => `#!/bin/sh\necho '{"name":"roborev","version":"v${version}"}'\n`;

async function stage(server: ReleaseServer, directory: string, signal = new AbortController().signal) {
  const release = parseSums(String(server.files.SHA256SUMS), platform);
  const source = releaseSource({ ROBOREV_UPDATE_URL: server.url });
  return await stageRelease({ source, release, platform }, { target: `${directory}/roborev`, signal });
}

test("a release that is what it says lies beside the program, executable, until it is let go", async () => {
  using dir = tempDir({ roborev: "old" });
  using server = releaseServer("1.2.3", says("1.2.3+abc"));
  {
    using staged = await stage(server, dir.path);
    expect(staged).toMatchObject({ version: "1.2.3+abc", bytes: expect.any(Number) });
    expect(staged.path).toStartWith(dir.join(".roborev-update-"));
    expect(Bun.spawnSync([staged.path]).exitCode).toBe(0);
  }
  expect(readdirSync(dir.path)).toEqual(["roborev"]);
});

test("a program is tried only once its file is closed, however busy the machine is", async () => {
  using server = releaseServer("1.2.3", says("1.2.3"));
  const busy = Array.from({ length: 8 }, () => Bun.spawn(["sh", "-c", "while :; do :; done"]));
  try {
    for (let round = 0; round < 150; round++) {
      using dir = tempDir({ roborev: "old" });
      using _ = await stage(server, dir.path);
    }
  } finally {
    for (const one of busy) one.kill();
  }
}, 120_000);

test.each([
  ["of another version", says("1.2.4"), "says that it is 1.2.4; nothing was installed"],
  [
    "that is another program",
    '#!/bin/sh\necho \'{"name":"x","version":"v1.2.3"}\'\n',
    "does not run on this machine: it is another program; nothing was installed",
  ],
  [
    "that fails",
    `${says("1.2.3")}exit 1\n`,
    "does not run on this machine: it ended with 1; nothing was installed",
  ],
  [
    "that cannot be started",
    "\u007fELF",
    "does not run on this machine: it cannot be started \\(ENOEXEC\\); nothing was installed",
  ],
])("a program %s is not installed, and nothing is left", async (_, program, message) => {
  using dir = tempDir({ roborev: "old" });
  using server = releaseServer("1.2.3", program);
  const error = await stage(server, dir.path).catch((caught) => caught);
  expect(error.message).toMatch(new RegExp(message));
  expect(readdirSync(dir.path)).toEqual(["roborev"]);
});

test.each<[string, (server: ReleaseServer) => void, string]>([
  [
    "was changed",
    ({ files, archive }) => {
      const bytes = (files[archive] as Uint8Array<ArrayBuffer>).slice();
      bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
      files[archive] = bytes;
    },
    "is wrong: it is damaged or was changed; nothing was installed",
  ],
  [
    "was cut short",
    ({ files, archive }) => {
      files[archive] = (files[archive] as Uint8Array<ArrayBuffer>).slice(0, 40);
    },
    "is wrong: it is damaged or was changed",
  ],
  [
    "is missing",
    ({ files, archive }) => {
      delete files[archive];
    },
    "it answered 404",
  ],
  [
    "is elsewhere without https",
    ({ files, archive }) => {
      files[archive] = () => Response.redirect("http://192.0.2.1/roborev.tar.gz");
    },
    "it leads to an address without https",
  ],
  [
    "leads round in a circle",
    ({ files, archive, url }) => {
      files[archive] = () => Response.redirect(`${url}/${archive}`);
    },
    "it leads nowhere",
  ],
])("an archive that %s is refused, and nothing is left", async (_, spoil, message) => {
  using dir = tempDir({ roborev: "old" });
  using server = releaseServer("1.2.3", says("1.2.3"));
  spoil(server);
  const error = await stage(server, dir.path).catch((caught) => caught);
  expect(error.message).toContain(message);
  expect(readdirSync(dir.path)).toEqual(["roborev"]);
});

test("an archive may be elsewhere, if the way there is as safe", async () => {
  using dir = tempDir();
  using server = releaseServer("1.2.3", says("1.2.3"));
  const packed = server.files[server.archive] as Uint8Array<ArrayBuffer>;
  server.files.elsewhere = packed;
  server.files[server.archive] = () => Response.redirect(`${server.url}/elsewhere`);
  using staged = await stage(server, dir.path);
  expect(staged.version).toBe("1.2.3");
});

test("an interrupt in the middle of the download leaves nothing behind", async () => {
  using dir = tempDir({ roborev: "old" });
  using server = releaseServer("1.2.3", says("1.2.3"));
  const interrupt = new AbortController();
  const packed = server.files[server.archive] as Uint8Array<ArrayBuffer>;
  server.files[server.archive] = () => {
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(packed.slice(0, 100));
        interrupt.abort(new Error("interrupted"));
        await new Promise(() => {}); // never the rest
      },
    });
    return new Response(body);
  };
  await expect(stage(server, dir.path, interrupt.signal)).rejects.toThrow("interrupted");
  expect(readdirSync(dir.path)).toEqual(["roborev"]);
});

test("what an update that was killed left beside the program is removed by a later one", async () => {
  using dir = tempDir();
  using server = releaseServer("1.2.3", says("1.2.3"));
  mkdirSync(dir.join(".roborev-update-left"));
  utimesSync(dir.join(".roborev-update-left"), 0, 0);
  mkdirSync(dir.join(".roborev-update-running"));
  symlinkSync("nowhere", dir.join(".roborev-update-gone"));
  using staged = await stage(server, dir.path);
  expect(existsSync(staged.path)).toBe(true);
  expect(existsSync(dir.join(".roborev-update-left"))).toBe(false);
  expect(existsSync(dir.join(".roborev-update-running"))).toBe(true);
});

test("a directory that cannot be written to is named before anything is downloaded", async () => {
  using server = releaseServer("1.2.3", says("1.2.3"));
  const error = await stage(server, "/proc").catch((caught) => caught);
  expect(error).toMatchObject({
    code: "E_WRITE",
    message: expect.stringContaining("cannot write to /proc: "),
  });
  expect(server.asked).toEqual([]);
});
