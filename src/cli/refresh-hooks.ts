import { existsSync } from "node:fs";
import { ensureDaemon } from "../client/ensure.ts";
import { DaemonError } from "../client/transport.ts";
import { branchWorktrees } from "../git/branch-worktrees.ts";
import { type Checkout, findCheckout, isInRepository } from "../git/checkout.ts";
import { installGitHooks } from "../git/hooks/install.ts";
import { gitHookStatus, type HookStatus } from "../git/hooks/status.ts";
import { resolveBinary } from "../install/binary.ts";
import { systemProbe } from "../install/probe.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Context } from "./command.ts";
import { clientFor } from "./connect.ts";
import { errorLine } from "./output.ts";

export interface RefreshedHooks {
  repo: string;
  /** `none`: roborev has no hook there, or it is gone. `left`: outside of the git directory, where only `init` writes. */
  result: "refreshed" | "current" | "left" | "none" | "failed";
  problem?: string;
}

/**
 * Brings the git hooks of every known repository up to date. Where there are none, none are written. Undefined: no
 * daemon runs that could tell the repositories, and none is started for this.
 */
export async function refreshHooks(context: Context): Promise<RefreshedHooks[] | undefined> {
  const repos = await knownRepositories(context);
  if (repos === undefined) return undefined;
  const refreshed: RefreshedHooks[] = [];
  for (const repo of repos) {
    try {
      refreshed.push({ repo, result: await refresh(context, repo) });
    } catch (error) {
      if (!(error instanceof RoborevError)) throw error;
      refreshed.push({ repo, result: "failed", problem: errorLine(error).replace(/^Error: /, "") });
    }
  }
  return refreshed;
}

async function knownRepositories(context: Context): Promise<string[] | undefined> {
  try {
    const client = await ensureDaemon({
      paths: context.paths(),
      client: clientFor(context),
      autostart: false,
      mayRestart: false,
    });
    const { repos } = await client.repos();
    return repos.filter(({ active }) => active).map(({ root_path }) => root_path);
  } catch (error) {
    if (error instanceof DaemonError && error.failure === "not-running") return undefined;
    throw error;
  }
}

async function refresh(context: Context, repo: string): Promise<RefreshedHooks["result"]> {
  const checkout = (await findCheckout(repo)) ?? (await checkoutOfBare(repo));
  if (checkout === undefined) return "none";
  const { hooks } = await gitHookStatus(checkout);
  const ours = hooks.filter(({ state }) => ["current", "outdated", "damaged"].includes(state));
  if (ours.length === 0) return "none";
  const outcomes = await installGitHooks(checkout, { binary: binaryOf(ours, context), automatic: true });
  if (outcomes.some(({ result }) => result === "installed" || result === "upgraded")) return "refreshed";
  return outcomes.some(({ result }) => result === "skipped") ? "left" : "current";
}

/** A bare repository's hooks run in its working trees, and nowhere else. */
async function checkoutOfBare(repo: string): Promise<Checkout | undefined> {
  if (!existsSync(repo) || !(await isInRepository(repo))) return undefined;
  for (const { path } of await branchWorktrees(repo)) {
    const checkout = await findCheckout(path);
    if (checkout?.mainRoot === repo) return checkout;
  }
  return undefined;
}

/** The program for hooks: the one that they run already, which may have been the user's choice, unless it is gone. */
export function binaryOf(hooks: readonly HookStatus[], context: Context): string {
  const kept = hooks.find(({ binary }) => binary?.executable)?.binary?.path;
  if (kept !== undefined) return kept;
  const { env } = context;
  return resolveBinary({ execPath: context.program.path, env, cwd: context.cwd(), probe: systemProbe }).path;
}
