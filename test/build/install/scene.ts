import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Member, tarGz } from "../../../build/tar.ts";
import { root } from "../../arch/source.ts";
import { endOf } from "../../support/end-of.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

export const script = join(root, "install.sh");

/** Shells that the installer must work with, by what runs them. */
const wanted: Record<string, string[]> = {
  sh: ["sh"],
  dash: ["dash"],
  "bash --posix": ["bash", "--posix"],
  bash: ["bash"],
  "busybox sh": ["busybox", "sh"],
};
const isHere = ([program]: string[]) => Bun.which(program as string) !== null;

export const shells = Object.entries(wanted).filter(([, argv]) => isHere(argv));
/** For the name of a test: what was not tried is said. */
export const notHere = Object.keys(wanted).filter((name) => !isHere(wanted[name] as string[]));

export const archive = "roborev_1.2.3_linux_amd64.tar.gz";

const text = (content: string) => new TextEncoder().encode(content);
export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export const program: Member = {
  name: "roborev",
  content: text("#!/bin/sh\necho roborev v1.2.3\n"),
  mode: 0o755,
};
export const goodArchive = tarGz([program, { name: "LICENSE", content: text("license\n"), mode: 0o644 }]);
export const sums = `${"0".repeat(64)}  other.tar.gz\n${sha256(goodArchive)}  ${archive}\n`;

/** A release in a directory, as it is downloaded by hand. */
export function releaseDirectory(): TempDir {
  const release = tempDir({ SHA256SUMS: sums });
  writeFileSync(release.join(archive), goodArchive);
  return release;
}

export interface Installation {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface InstallOptions {
  home: string;
  env?: Record<string, string>;
  /** Another file than the repository's. */
  script?: string;
  cwd?: string;
}

/** Runs install.sh to its end with a home of its own. */
export async function install(
  shell: string[],
  args: string[],
  options: InstallOptions,
): Promise<Installation> {
  const { home, env, cwd = home } = options;
  const child = Bun.spawn([...shell, options.script ?? script, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, no_proxy: "127.0.0.1", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return await endOf(child);
}

/** A program in `<directory>/fake` that comes first on the PATH returned. */
export function fake(directory: TempDir, name: string, shell: string): string {
  const path = directory.join("fake", name);
  writeFileSync(path, `#!/bin/sh\n${shell}\n`);
  chmodSync(path, 0o755);
  return `${directory.join("fake")}:${process.env.PATH}`;
}

/** Everything below a directory, hidden files too. */
export const leftovers = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
export const read = (path: string) => readFileSync(path, "utf8");
