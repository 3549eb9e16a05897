import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { platforms } from "../src/update/platform.ts";

export const root = join(import.meta.dir, "..");

export interface CompileOptions {
  entry: string;
  outfile: string;
  version: string;
  /** One of the keys of `platforms`; default: this machine. */
  target?: string;
}

/**
 * Compiles one native binary; the same sources and the same Bun give the same bytes, wherever they lie. Bytecode, ESM
 * and splitting together keep the start of the hook path as short as that of an empty program. The other three
 * switches are for safety, because roborev runs inside repositories that nobody vetted: without them their
 * `bunfig.toml` runs code, their `.env` sets variables, and `BUN_OPTIONS` adds a preload.
 * No switch of Bun 1.4.5 closes BUN_BE_BUN, BUN_INSPECT and BUN_INSPECT_PRELOAD in the environment of the caller.
 */
export async function compile({ entry, outfile, version, target }: CompileOptions): Promise<void> {
  const platform = platforms[target ?? hostTarget()];
  // The names of chunks depend on where the sources lie as seen from here; Bun's option `root` does not change that.
  const before = process.cwd();
  process.chdir(dirname(entry));
  const building = Bun.build({
    entrypoints: [entry],
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    // Ink loads it for debugging only, and does without it.
    external: ["react-devtools-core"],
    define: {
      ROBOREV_VERSION: JSON.stringify(version),
      ...(platform === undefined ? {} : { ROBOREV_PLATFORM: JSON.stringify(platform) }),
      "process.env.NODE_ENV": '"production"',
    },
    compile: {
      outfile,
      ...(target === undefined ? {} : { target: `bun-${target}` as Bun.Build.CompileTarget }),
      autoloadBunfig: false,
      autoloadDotenv: false,
      execArgv: ["--"],
    },
  });
  await building.finally(() => process.chdir(before));
}

/** The target that this machine runs best. A build for it alone takes the Bun that is running, whatever that one is. */
export function hostTarget(): string {
  const parts = [process.platform === "win32" ? "windows" : process.platform, process.arch];
  if (process.platform !== "linux") return parts.join("-");
  if (isMusl()) parts.push("musl");
  if (process.arch === "x64" && !hasAvx2()) parts.push("baseline");
  return parts.join("-");
}

const loaders: Record<string, { musl: string; glibc: string }> = {
  x64: { musl: "/lib/ld-musl-x86_64.so.1", glibc: "/lib64/ld-linux-x86-64.so.2" },
  arm64: { musl: "/lib/ld-musl-aarch64.so.1", glibc: "/lib/ld-linux-aarch64.so.1" },
};

function isMusl(): boolean {
  const loader = loaders[process.arch];
  return loader !== undefined && existsSync(loader.musl) && !existsSync(loader.glibc);
}

const hasAvx2 = (): boolean => /^flags\s*:.*\bavx2\b/m.test(readFileSync("/proc/cpuinfo", "utf8"));
