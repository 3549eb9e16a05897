import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");

/** A file's text as the formatter would leave it. */
export function formatted(path: string, source: string): string {
  const run = Bun.spawnSync(
    [join(root, "node_modules", ".bin", "biome"), "format", `--stdin-file-path=${path}`],
    { cwd: root, stdin: new TextEncoder().encode(source) },
  );
  if (run.exitCode !== 0) throw new Error(`biome: ${run.stderr.toString().trim()}`);
  return run.stdout.toString();
}
