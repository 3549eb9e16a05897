import { describe, expect, test } from "bun:test";
import { type BinaryProbe, type BinaryQuestion, resolveBinary } from "../../src/install/binary.ts";

interface World {
  execPath?: string;
  path?: string;
  /** Executables; a value names the real path behind a link. */
  files?: Record<string, string | true>;
  override?: string;
  open?: string;
}

function ask({ execPath, path = "", files = {}, override, open }: World) {
  const probe: BinaryProbe = {
    isDirectory: () => false,
    isExecutable: (file) => file in files,
    realPath: (file) => (files[file] === true ? file : files[file]),
    nodeType: (file) => {
      if (file.endsWith("/dir")) return "directory";
      if (file.endsWith(".txt")) return "file";
      if (file.endsWith("/fifo")) return "other";
      return file in files ? "executable" : "missing";
    },
    openToOthers: () => open,
  };
  const question: BinaryQuestion = {
    override,
    execPath,
    env: { PATH: path, HOME: "/home/u" },
    cwd: "/repo",
    probe,
  };
  return resolveBinary(question);
}

describe("scenario 123, H13: which executable goes into the hooks", () => {
  const mise = "/home/u/.local/share/mise/installs/roborev/1.2.3/bin/roborev";
  const shims = "/home/u/.local/share/mise/shims";
  const cellar = "/opt/homebrew/Cellar/roborev/1.2.3/bin/roborev";
  const asdf = "/home/u/.asdf/installs/roborev/1.2.3/bin/roborev";

  test.each<[string, World, string, RegExp | undefined]>([
    [
      "unknown executable: PATH",
      { path: "/bin", files: { "/bin/roborev": true } },
      "/bin/roborev",
      undefined,
    ],
    ["unknown executable, nothing on PATH", {}, "roborev", undefined],
    ["plain install", { execPath: "/home/u/.local/bin/roborev" }, "/home/u/.local/bin/roborev", undefined],
    [
      "mise with its shim on PATH",
      { execPath: mise, path: shims, files: { [`${shims}/roborev`]: "/usr/bin/mise" } },
      `${shims}/roborev`,
      /outlives upgrades.*mise/,
    ],
    ["mise without a shim", { execPath: mise }, mise, /versioned mise install.*--binary/],
    [
      "Homebrew with its bin on PATH",
      { execPath: cellar, path: "/opt/homebrew/bin", files: { "/opt/homebrew/bin/roborev": cellar } },
      "/opt/homebrew/bin/roborev",
      /outlives upgrades.*Homebrew/,
    ],
    [
      "Homebrew with its bin not on PATH",
      { execPath: cellar, files: { "/opt/homebrew/bin/roborev": cellar } },
      "/opt/homebrew/bin/roborev",
      /outlives upgrades/,
    ],
    [
      "Homebrew with opt only",
      { execPath: cellar, files: { "/opt/homebrew/opt/roborev/bin/roborev": cellar } },
      "/opt/homebrew/opt/roborev/bin/roborev",
      /outlives upgrades/,
    ],
    ["Homebrew without any alias", { execPath: cellar }, cellar, /versioned Homebrew install/],
    [
      "asdf with its shim on PATH",
      { execPath: asdf, path: "/home/u/.asdf/shims", files: { "/home/u/.asdf/shims/roborev": true } },
      "/home/u/.asdf/shims/roborev",
      /outlives upgrades.*asdf/,
    ],
    [
      "asdf with its shim elsewhere",
      { execPath: asdf, files: { "/home/u/.asdf/shims/roborev": true } },
      "/home/u/.asdf/shims/roborev",
      /outlives upgrades/,
    ],
    ["asdf without a shim", { execPath: asdf }, asdf, /versioned asdf install/],
    [
      "the Nix profile's link is kept, not the store path behind it",
      {
        execPath: "/nix/store/abc-roborev/bin/roborev",
        path: "/home/u/.nix-profile/bin",
        files: { "/home/u/.nix-profile/bin/roborev": "/nix/store/abc-roborev/bin/roborev" },
      },
      "/home/u/.nix-profile/bin/roborev",
      undefined,
    ],
    [
      "a link on PATH to the running file is kept",
      { execPath: "/opt/r-1/roborev", path: "/usr/bin", files: { "/usr/bin/roborev": "/opt/r-1/roborev" } },
      "/usr/bin/roborev",
      undefined,
    ],
    [
      "another roborev on PATH is not taken",
      { execPath: "/opt/r-2/roborev", path: "/usr/bin", files: { "/usr/bin/roborev": "/opt/r-1/roborev" } },
      "/opt/r-2/roborev",
      undefined,
    ],
    [
      "run from source, with a roborev on PATH",
      { execPath: "/usr/bin/bun", path: "/usr/bin", files: { "/usr/bin/roborev": true } },
      "/usr/bin/roborev",
      undefined,
    ],
    [
      "--binary with a name",
      { override: "rr", path: "rel:/a:/b", files: { "/b/rr": true } },
      "/b/rr",
      undefined,
    ],
    [
      "--binary below home",
      { override: "~/bin/r", files: { "/home/u/bin/r": true } },
      "/home/u/bin/r",
      undefined,
    ],
    [
      "--binary relative",
      { override: "./dist/r", files: { "/repo/dist/r": true } },
      "/repo/dist/r",
      undefined,
    ],
    ["--binary as a link stays a link", { override: "/l/r", files: { "/l/r": "/opt/r" } }, "/l/r", undefined],
    [
      "--binary that others can change is used, and said",
      { override: "/l/r", files: { "/l/r": true }, open: "/l" },
      "/l/r",
      /Every user .* change \/l/,
    ],
  ])("%s", (_, world, path, notice) => {
    const resolved = ask(world);
    expect(resolved.path).toBe(path);
    if (notice === undefined) expect(resolved.notice).toBeUndefined();
    else expect(resolved.notice).toMatch(notice);
  });

  test.each<[World, string]>([
    [{ execPath: "/usr/bin/bun" }, "roborev runs from source under /usr/bin/bun"],
    [{ execPath: "/usr/bin/node" }, "roborev runs from source under /usr/bin/node"],
    [{ override: "nope" }, "find nope on PATH"],
    [{ override: "/nope" }, "stat /nope: no such file"],
    [{ override: "/x/dir" }, "/x/dir is a directory, not a binary"],
    [{ override: "/x/fifo" }, "/x/fifo is not a regular file"],
    [{ override: "/x/a.txt" }, "/x/a.txt is not executable"],
    [{ execPath: "/w/roborev", open: "/w" }, "every user of this machine can change /w"],
  ])("%j is refused: %s", (world, message) => {
    expect(() => ask(world)).toThrow(`resolve roborev binary: ${message}`);
  });
});
