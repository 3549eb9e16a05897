import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { tarGz } from "../../../build/tar.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";
import {
  archive,
  goodArchive,
  install,
  leftovers,
  notHere,
  program,
  read,
  releaseDirectory,
  sha256,
  shells,
} from "./scene.ts";

let release: TempDir;
beforeAll(() => {
  release = releaseDirectory();
});
afterAll(() => release[Symbol.dispose]());

const installed = ".local/bin/roborev";

test(`install.sh is tried with every shell that is here${notHere.length > 0 ? `, not with: ${notHere.join(", ")}` : ""}`, () => {
  expect(shells.length).toBeGreaterThanOrEqual(2);
});

describe.each(shells)("G29: under %s", (_, shell) => {
  test("an archive is installed without network, executable, with nothing left beside it", async () => {
    using home = tempDir();
    const run = await install(shell, ["--archive", release.join(archive)], { home: home.path });
    expect(run).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: `installed roborev v1.2.3 to ${home.join(installed)}
note: ${home.join(".local/bin")} is not on your PATH
next, in a git repository:
  ${home.join(installed)} init
  ${home.join(installed)} agent-hook install
`,
    });
    expect(statSync(home.join(installed)).mode & 0o777).toBe(0o755);
    expect(leftovers(home.path)).toEqual([".local", ".local/bin", installed]);
  });

  test("a tampered archive replaces nothing", async () => {
    using home = tempDir({ [installed]: "old" });
    const bytes = goodArchive.slice();
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(home.join(archive), bytes);
    const args = ["--archive", home.join(archive), "--sums", release.join("SHA256SUMS")];
    const run = await install(shell, args, { home: home.path });
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toContain(`the checksum of ${archive} is wrong`);
    expect(read(home.join(installed))).toBe("old");
    expect(leftovers(home.join(".local/bin"))).toEqual(["roborev"]);
  });

  test.each([
    ["is missing", undefined, "there is no checksum list"],
    ["is empty", "", "has no checksum of"],
    ["names only others", `${"a".repeat(64)}  x${archive}\n`, "has no checksum of"],
    ["holds a shorter sum", `abc  ${archive}\n`, "has no SHA-256 of"],
    [
      "holds two sums",
      `${"a".repeat(64)}  ${archive}\n${"b".repeat(64)}  ${archive}\n`,
      "exactly one checksum",
    ],
  ])("a checksum list that %s stops the installation", async (_, content, message) => {
    using home = tempDir({ [installed]: "old", ...(content === undefined ? {} : { SHA256SUMS: content }) });
    writeFileSync(home.join(archive), goodArchive);
    const run = await install(shell, ["--archive", home.join(archive)], { home: home.path });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(message);
    expect(read(home.join(installed))).toBe("old");
  });

  test("a dry run verifies and installs nothing", async () => {
    using home = tempDir();
    const run = await install(shell, ["--archive", release.join(archive), "--dry-run"], { home: home.path });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).toBe(
      `would install roborev from ${archive} (checksum verified) to ${home.join(installed)}\n`,
    );
    expect(leftovers(home.path)).toEqual([]);
  });

  test("a directory that cannot be written to is named", async () => {
    using home = tempDir();
    for (const [directory, words] of [
      ["/proc/roborev", "cannot create /proc/roborev"],
      ["/proc/self", "cannot write to /proc/self"],
    ] as const) {
      const args = ["--archive", release.join(archive), "--dir", directory];
      const run = await install(shell, args, { home: home.path });
      expect([run.exitCode, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toContain(`install.sh: ${words}\n`);
    }
    expect(leftovers(home.path)).toEqual([]);
  });
});

/** An archive of our own making with a right checksum. */
function archived(home: TempDir, packed: Uint8Array): string[] {
  writeFileSync(home.join("own.tar.gz"), packed);
  writeFileSync(home.join("own.sums"), `${sha256(packed).toUpperCase()} *own.tar.gz\n`);
  return ["--archive", home.join("own.tar.gz"), "--sums", home.join("own.sums"), "--dir", home.join("bin")];
}

test("a binary that does not run replaces nothing", async () => {
  using home = tempDir({ "bin/roborev": "old" });
  const broken = tarGz([{ ...program, content: new TextEncoder().encode("#!/bin/sh\nexit 1\n") }]);
  const run = await install(["sh"], archived(home, broken), { home: home.path });
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("does not run on this machine; nothing was replaced");
  expect(read(home.join("bin/roborev"))).toBe("old");
  expect(leftovers(home.join("bin"))).toEqual(["roborev"]);
});

test("an archive whose roborev is a link is refused", async () => {
  using home = tempDir();
  symlinkSync("/bin/true", home.join("roborev"));
  const packed = Bun.spawnSync(["tar", "-czf", "-", "roborev"], { cwd: home.path });
  const run = await install(["sh"], archived(home, packed.stdout), { home: home.path });
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("does not hold a roborev binary");
  expect(leftovers(home.join("bin"))).toEqual([]);
});

test("where PATH finds it the commands to run next are short; another roborev before it is told", async () => {
  using home = tempDir({ "other/roborev": "#!/bin/sh\n" });
  Bun.spawnSync(["chmod", "755", home.join("other/roborev")]);
  const bin = home.join("bin");
  const run = (PATH: string) =>
    install(["sh"], archived(home, goodArchive), {
      home: home.path,
      env: { PATH: `${PATH}:${process.env.PATH}` },
    });
  expect((await run(bin)).stdout).toEndWith(
    `to ${bin}/roborev\nnext, in a git repository:\n  roborev init\n  roborev agent-hook install\n`,
  );
  expect((await run(`${home.join("other")}:${bin}`)).stdout).toContain(
    `note: PATH finds ${home.join("other/roborev")} first\nnext, in a git repository:\n  ${bin}/roborev init\n`,
  );
});

test.each([
  "--frobnicate",
  "--archive",
  "x",
  "--sums SHA256SUMS",
  "--from-source --version 1.2.3",
  "--archive x.tar.gz --version 1.2.3",
])("the arguments %s are a usage error", async (args) => {
  using home = tempDir();
  const run = await install(["sh"], args.split(" "), { home: home.path });
  expect([run.exitCode, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain("\nUsage: install.sh ");
});
