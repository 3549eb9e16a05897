import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../arch/source.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

const script = join(root, "install.sh");
const shells = [["sh"], ["dash"], ["bash", "--posix"], ["bash"], ["busybox", "sh"], ["zsh", "-y"]].filter(
  ([name]) => Bun.which(name as string) !== null,
);
const name = "roborev_1.2.3_linux_amd64.tar.gz";

let release: TempDir;
let sum: string;

beforeAll(() => {
  release = tempDir({ roborev: "#!/bin/sh\necho roborev v1.2.3\n", LICENSE: "license\n" });
  chmodSync(release.join("roborev"), 0o755);
  pack(name, "roborev", "LICENSE");
  sum = createHash("sha256")
    .update(readFileSync(release.join(name)))
    .digest("hex");
  writeFileSync(release.join("SHA256SUMS"), `${"0".repeat(64)}  other.tar.gz\n${sum}  ${name}\n`);
});
afterAll(() => release[Symbol.dispose]());

function pack(archive: string, ...members: string[]): void {
  const packed = Bun.spawnSync(["tar", "-czf", archive, ...members], { cwd: release.path });
  if (packed.exitCode !== 0) throw new Error(packed.stderr.toString());
}

function install(shell: string[], home: string, ...args: string[]) {
  const run = Bun.spawnSync([...shell, script, ...args], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home },
    stderr: "pipe",
  });
  return { exitCode: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
}

const offline = (sums = release.join("SHA256SUMS"), archive = release.join(name)) => [
  "--archive",
  archive,
  "--sums",
  sums,
];

/** Everything below a directory, hidden files too. */
const leftovers = (directory: string) => readdirSync(directory, { recursive: true }).sort();

describe.each(shells.map((shell) => [shell.join(" "), shell] as const))("G29: under %s", (_, shell) => {
  test("a good archive is installed, executable, with nothing left beside it", () => {
    using home = tempDir();
    const run = install(shell, home.path, ...offline());
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).toContain(`installed roborev v1.2.3 to ${home.join(".local/bin/roborev")}`);
    expect(statSync(home.join(".local/bin/roborev")).mode & 0o777).toBe(0o755);
    expect(leftovers(home.path)).toEqual([".local", ".local/bin", ".local/bin/roborev"]);
  });

  test("a tampered archive replaces nothing", () => {
    using home = tempDir({ ".local/bin/roborev": "old" });
    const bytes = readFileSync(release.join(name));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(home.join(name), bytes);
    const run = install(shell, home.path, ...offline(undefined, home.join(name)));
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(`the checksum of ${name} is wrong`);
    expect(readFileSync(home.join(".local/bin/roborev"), "utf8")).toBe("old");
  });

  test.each([
    ["is missing", undefined, "there is no checksum list"],
    ["is empty", "", "has no checksum of"],
    ["names only others", `${"a".repeat(64)}  x${name}\n`, "has no checksum of"],
    ["holds a shorter sum", `abc  ${name}\n`, "has no SHA-256 of"],
    ["holds two sums", `${"a".repeat(64)}  ${name}\n${"b".repeat(64)}  ${name}\n`, "exactly one checksum"],
  ])("a checksum list that %s stops the installation", (_, content, message) => {
    using home = tempDir(content === undefined ? {} : { sums: content });
    const run = install(shell, home.path, ...offline(home.join("sums")));
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain(message);
    expect(leftovers(home.path).filter((file) => file !== "sums")).toEqual([]);
  });

  test("an archive without its checksum list is refused before anything happens", () => {
    using home = tempDir();
    expect(install(shell, home.path, "--archive", release.join(name)).exitCode).toBe(2);
    expect(leftovers(home.path)).toEqual([]);
  });

  test("a dry run verifies and installs nothing", () => {
    using home = tempDir();
    const run = install(shell, home.path, ...offline(), "--dry-run");
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe(
      `would install roborev from ${name} (checksum verified) to ${home.join(".local/bin/roborev")}\n`,
    );
    expect(leftovers(home.path)).toEqual([]);
  });
});

test("a binary that does not run replaces nothing", () => {
  using home = tempDir({ "bin/roborev": "old", roborev: "#!/bin/sh\nexit 1\n" });
  chmodSync(home.join("roborev"), 0o755);
  const packed = Bun.spawnSync(["tar", "-czf", "bad.tar.gz", "roborev"], { cwd: home.path });
  expect(packed.exitCode).toBe(0);
  const bad = createHash("sha256")
    .update(readFileSync(home.join("bad.tar.gz")))
    .digest("hex");
  writeFileSync(home.join("sums"), `${bad} *bad.tar.gz\n`);
  const run = install(
    ["sh"],
    home.path,
    ...offline(home.join("sums"), home.join("bad.tar.gz")),
    "--dir",
    home.join("bin"),
  );
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("does not run on this machine");
  expect(readFileSync(home.join("bin/roborev"), "utf8")).toBe("old");
  expect(leftovers(home.join("bin"))).toEqual(["roborev"]);
});

test("an archive whose roborev is a link is refused", () => {
  using home = tempDir();
  mkdirSync(home.join("in"));
  Bun.spawnSync(["ln", "-s", "/bin/true", "roborev"], { cwd: home.join("in") });
  Bun.spawnSync(["tar", "-czf", "../link.tar.gz", "roborev"], { cwd: home.join("in") });
  rmSync(home.join("in"), { recursive: true });
  const link = createHash("sha256")
    .update(readFileSync(home.join("link.tar.gz")))
    .digest("hex");
  writeFileSync(home.join("sums"), `${link}  link.tar.gz\n`);
  const run = install(["sh"], home.path, ...offline(home.join("sums"), home.join("link.tar.gz")));
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain("does not hold a roborev binary");
});

test.each(["--frobnicate", "--archive", "x"])("the argument %s alone is a usage error", (argument) => {
  using home = tempDir();
  expect(install(["sh"], home.path, argument).exitCode).toBe(2);
});

test("a script that was cut short anywhere installs nothing", () => {
  const text = readFileSync(script, "utf8");
  for (let end = 0; end < text.length - 'main "$@"\n'.length; end += 97) {
    using home = tempDir({ "cut.sh": text.slice(0, end) });
    Bun.spawnSync(["sh", home.join("cut.sh"), ...offline()], {
      env: { PATH: process.env.PATH, HOME: home.path, TMPDIR: home.path },
      stderr: "ignore",
    });
    expect(leftovers(home.path)).toEqual(["cut.sh"]);
  }
});

describe("over the network", () => {
  async function download(home: string, files: Record<string, Blob | string>) {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const file = files[new URL(request.url).pathname.slice(1)];
        return file === undefined ? new Response("none", { status: 404 }) : new Response(file);
      },
    });
    // A machine of our choice, so that the test means the same everywhere.
    mkdirSync(join(home, "fake"));
    writeFileSync(
      join(home, "fake", "uname"),
      "#!/bin/sh\ncase $1 in -m) echo x86_64 ;; *) echo Linux ;; esac\n",
    );
    writeFileSync(join(home, "fake", "ldd"), "#!/bin/sh\necho 'ldd (GNU libc) 2.36'\n");
    for (const program of ["uname", "ldd"]) chmodSync(join(home, "fake", program), 0o755);
    const child = Bun.spawn(["sh", script, "--base-url", `http://127.0.0.1:${server.port}`], {
      env: {
        PATH: `${join(home, "fake")}:${process.env.PATH}`,
        HOME: home,
        TMPDIR: home,
        no_proxy: "127.0.0.1",
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stderr, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    return { stderr, exitCode };
  }

  test("the archive of this machine is found in the checksum list, fetched, verified and installed", async () => {
    using home = tempDir();
    const sums = `${sum}  ${name}\n${"1".repeat(64)}  roborev_1.2.3_linux_amd64_musl.tar.gz\n`;
    const run = await download(home.path, { SHA256SUMS: sums, [name]: Bun.file(release.join(name)) });
    expect(run).toEqual({ exitCode: 0, stderr: "" });
    expect(readdirSync(home.join(".local/bin"))).toEqual(["roborev"]);
  });

  test("without a checksum list, or without this machine in it, nothing is installed", async () => {
    using home = tempDir();
    const none = await download(home.path, { [name]: Bun.file(release.join(name)) });
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain("cannot download");
    using other = tempDir();
    const sums = `${sum}  roborev_1.2.3_darwin_arm64.tar.gz\n`;
    const missing = await download(other.path, { SHA256SUMS: sums });
    expect(missing.stderr).toContain("has no binary for linux_amd64");
    expect(readdirSync(other.path)).toEqual(["fake"]);
  });
});
