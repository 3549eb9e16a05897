import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { type TempDir, tempDir } from "../../support/temp.ts";
import { archive, fake, goodArchive, install, leftovers, sha256, sums } from "./scene.ts";

interface Machine {
  /** What `uname` says. */
  system?: string;
  cpu?: string;
  ldd?: string;
  avx2?: boolean;
  /** Whether `sysctl` says that the processor is one of Apple's. */
  rosetta?: boolean;
}

/** A machine of our choice, so that the test means the same everywhere. */
function machine(home: TempDir, options: Machine): string {
  const {
    system = "Linux",
    cpu = "x86_64",
    ldd = "ldd (GNU libc) 2.36",
    avx2 = true,
    rosetta = false,
  } = options;
  mkdirSync(home.join("fake"));
  fake(home, "uname", `case $1 in -m) echo ${cpu} ;; *) echo ${system} ;; esac`);
  fake(home, "ldd", `echo '${ldd}'`);
  fake(home, "grep", `case "$*" in *avx2*) exit ${avx2 ? 0 : 1} ;; esac\nexec ${Bun.which("grep")} "$@"`);
  const mac = `case $2 in hw.optional.arm64) echo ${rosetta ? 1 : 0} ;; hw.optional.avx2_0) echo ${avx2 ? 1 : 0} ;; esac`;
  return fake(home, "sysctl", mac);
}

async function download(
  home: TempDir,
  files: Record<string, Blob | string>,
  options: Machine = {},
  args: string[] = [],
) {
  const asked: string[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      asked.push(name);
      const file = files[name];
      return file === undefined ? new Response("none", { status: 404 }) : new Response(file);
    },
  });
  const PATH = machine(home, options);
  const env = { PATH, ROBOREV_UPDATE_URL: `http://127.0.0.1:${server.port}` };
  return { ...(await install(["sh"], args, { home: home.path, env })), asked };
}

const packed = new Blob([goodArchive]);

describe("install.sh over the network", () => {
  test("finds the archive of this machine in the checksum list, verifies and installs it", async () => {
    using home = tempDir();
    const list = `${sums}${"1".repeat(64)}  roborev_1.2.3_linux_amd64_musl.tar.gz\n`;
    const run = await download(home, { SHA256SUMS: list, [archive]: packed });
    expect(run).toMatchObject({ exitCode: 0, stderr: "", asked: ["SHA256SUMS", archive] });
    expect(readdirSync(home.join(".local/bin"))).toEqual(["roborev"]);
  });

  test.each<[string, Machine]>([
    ["linux_amd64", {}],
    ["linux_amd64_baseline", { avx2: false }],
    ["linux_amd64_musl", { ldd: "musl libc (x86_64)" }],
    ["linux_amd64_musl_baseline", { ldd: "musl libc (x86_64)", avx2: false }],
    ["linux_arm64", { cpu: "aarch64", avx2: false }],
    ["linux_arm64_musl", { cpu: "aarch64", ldd: "musl libc (aarch64)" }],
    ["darwin_amd64", { system: "Darwin" }],
    ["darwin_amd64_baseline", { system: "Darwin", avx2: false }],
    ["darwin_arm64", { system: "Darwin", cpu: "arm64" }],
    ["darwin_arm64", { system: "Darwin", rosetta: true, avx2: false }],
  ])("takes %s for a machine like that, and no other", async (platform, options) => {
    using home = tempDir();
    const name = (of: string) => `roborev_1.2.3_${of}.tar.gz`;
    const all = ["linux", "darwin"].flatMap((system) =>
      ["amd64", "amd64_baseline", "amd64_musl", "amd64_musl_baseline", "arm64", "arm64_musl"].map(
        (cpu) => `${system}_${cpu}`,
      ),
    );
    const list = all.map((of) => `${sha256(goodArchive)}  ${name(of)}\n`).join("");
    const files = { SHA256SUMS: list, ...Object.fromEntries(all.map((of) => [name(of), packed])) };
    const run = await download(home, files, options, ["--dry-run"]);
    expect(run).toMatchObject({ exitCode: 0, asked: ["SHA256SUMS", name(platform)] });
    expect(leftovers(home.path).filter((file) => !file.startsWith("fake"))).toEqual([]);
  });

  test.each<[string, Machine, string]>([
    ["FreeBSD", { system: "FreeBSD" }, "there is no binary for FreeBSD"],
    ["a processor of another kind", { cpu: "riscv64" }, "there is no binary for riscv64"],
  ])("says so on %s, and asks nobody", async (_, options, words) => {
    using home = tempDir();
    const run = await download(home, { SHA256SUMS: sums }, options);
    expect(run).toMatchObject({ exitCode: 1, asked: [], stderr: expect.stringContaining(words) });
  });

  test("without a checksum list, or without this machine in it, installs nothing", async () => {
    using home = tempDir();
    const none = await download(home, { [archive]: packed });
    expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("cannot download") });
    using other = tempDir();
    const missing = await download(other, { SHA256SUMS: sums.replaceAll("linux_amd64", "darwin_arm64") });
    expect(missing.stderr).toContain("has no binary for linux_amd64");
    expect(readdirSync(other.path)).toEqual(["fake"]);
  });

  test("what was changed on its way replaces nothing", async () => {
    using home = tempDir({ ".local/bin/roborev": "old" });
    const run = await download(home, { SHA256SUMS: sums, [archive]: "something else" });
    expect(run).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`the checksum of ${archive} is wrong`),
    });
    expect(await Bun.file(home.join(".local/bin/roborev")).text()).toBe("old");
  });

  test("a mirror with another version than the one that was asked for is refused", async () => {
    using home = tempDir();
    const files = { SHA256SUMS: sums, [archive]: packed };
    const run = await download(home, files, {}, ["--version", "v1.2.2"]);
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("not version 1.2.2") });
    using again = tempDir();
    expect(await download(again, files, {}, ["--version", "v1.2.3"])).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
  });

  test("an address that anybody on the way can speak for is refused", async () => {
    using home = tempDir();
    for (const url of ["http://example.com", "http://127.0.0.1.example.com", "ftp://127.0.0.1/"]) {
      const run = await install(["sh"], ["--base-url", url], { home: home.path });
      expect(run).toMatchObject({ exitCode: 1, stderr: `install.sh: ${url} is no https address\n` });
    }
  });
});
