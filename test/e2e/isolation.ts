const isolated = "E2E_LOOPBACK_ONLY";
const enterLoopback = 'ip link set lo up && exec "$@"';

/** This process was started by `runIsolated`. */
export const isIsolated = (): boolean => process.env[isolated] !== undefined;

/**
 * The exit status of this program run again, with these variables, in a network namespace that has nothing but
 * loopback; undefined where the system does not allow that.
 */
export function runIsolated(variables: Record<string, string>): number | undefined {
  const namespace = ["unshare", "-n", "sh", "-c"];
  if (Bun.which("unshare") === null || Bun.which("ip") === null) return undefined;
  if (Bun.spawnSync([...namespace, enterLoopback, "sh", "true"]).exitCode !== 0) return undefined;
  const again = [process.execPath, ...process.argv.slice(1)];
  const run = Bun.spawnSync([...namespace, enterLoopback, "sh", ...again], {
    env: { ...process.env, ...variables, [isolated]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return run.exitCode ?? 1;
}
