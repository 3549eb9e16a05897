const mark = "BENCH_PRIORITY";

/**
 * The exit status of this program run again with real-time priority, so that what else the machine does stays out of
 * the figures; undefined where that is not allowed, or is so already.
 */
export function runWithPriority(): number | undefined {
  if (process.env[mark] !== undefined) return undefined;
  const first = ["chrt", "-f", "10"];
  if (Bun.which("chrt") === null || Bun.spawnSync([...first, "true"]).exitCode !== 0) return undefined;
  const again = [process.execPath, process.argv[1] ?? "", ...process.argv.slice(2)];
  const run = Bun.spawnSync([...first, ...again], {
    env: { ...process.env, [mark]: "real-time" },
    stdio: ["inherit", "inherit", "inherit"],
  });
  return run.exitCode ?? 1;
}

/** What the figures were taken with. */
export const priority = (): string => process.env[mark] ?? "normal";
