import { existsSync } from "node:fs";
import { join } from "node:path";
import { endOf } from "./end-of.ts";

/** The compiled binary. `bun run check` builds it before the tests run; a release has that of an archive tested. */
export const binary: string = (() => {
  const path = process.env.BINARY_UNDER_TEST ?? join(import.meta.dir, "..", "..", "dist", "roborev");
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`bun run build\` first`);
  return path;
})();

export interface BinaryRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface BinaryOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  stdin?: string;
}

/** Runs the compiled binary to its end. */
export const roborev = (args: string[], options: BinaryOptions = {}): Promise<BinaryRun> =>
  run([binary, ...args], options);

/** The same for another program. */
export async function run(argv: string[], options: BinaryOptions = {}): Promise<BinaryRun> {
  const child = Bun.spawn(argv, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdin: new Blob([options.stdin ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return await endOf(child);
}
