import { singleLine } from "../lib/text.ts";

/** The environment in which the daemon would look for programs: with the PATH of the user's own shell. */
export async function daemonEnvironment(
  env: Record<string, string | undefined>,
  signal: AbortSignal,
  onProblem: (problem: string) => void,
): Promise<Record<string, string | undefined>> {
  const { captureLoginPath, mergedPath } = await import("../daemon/login-path.ts");
  const found = await captureLoginPath(env, { signal });
  signal.throwIfAborted();
  if ("directories" in found) return { ...env, PATH: mergedPath(env.PATH ?? "", found.directories) };
  onProblem(`PATH of the login shell: ${singleLine(found.problem)}`);
  return env;
}
