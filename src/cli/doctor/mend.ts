import { chmod, lstat } from "node:fs/promises";
import { findCheckout } from "../../git/checkout.ts";
import { installGitHooks } from "../../git/hooks/install.ts";
import type { HookName } from "../../git/hooks/script.ts";
import { gitHookStatus } from "../../git/hooks/status.ts";
import { findHarness } from "../../harness/registry.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { installSkills } from "../../skills/install.ts";
import { changeLines, problemsOf } from "../../skills/report.ts";
import { skillDirectory } from "../../skills/status.ts";
import type { Context } from "../command.ts";
import { connect } from "../connect.ts";
import { binaryOf } from "../refresh-hooks.ts";
import type { Check, Mend } from "./finding.ts";

/** What `--fix` did, a line each, and what it could not do. */
export interface Mended {
  done: string[];
  failed: string[];
}

/** Each thing to do once; what several findings ask of the git hooks and of skills together. */
export function planMends(checks: readonly Check[]): Mend[] {
  const all = checks.flatMap(({ findings }) =>
    findings.flatMap(({ mend }) => (mend === undefined ? [] : [mend])),
  );
  const hooks = [...new Set(all.flatMap((mend) => (mend.do === "git-hooks" ? mend.hooks : [])))];
  const agents = [...new Set(all.flatMap((mend) => (mend.do === "skills" ? mend.agents : [])))];
  return [
    ...all.filter((mend) => mend.do === "chmod"),
    ...(hooks.length === 0 ? [] : [{ do: "git-hooks" as const, hooks }]),
    ...(agents.length === 0 ? [] : [{ do: "skills" as const, agents }]),
    // Last: what it starts shall find everything mended.
    ...all.filter((mend) => mend.do === "start-daemon").slice(0, 1),
  ];
}

/** Does what is safe, and nothing to bytes that are not ours. One that fails does not keep the others back. */
export async function applyMends(mends: readonly Mend[], context: Context): Promise<Mended> {
  const mended: Mended = { done: [], failed: [] };
  for (const mend of mends) {
    try {
      const { done = [], failed = [] } = await apply(mend, context);
      mended.done.push(...done);
      mended.failed.push(...failed);
    } catch (error) {
      const known = error instanceof RoborevError || (error instanceof Error && "code" in error);
      if (!known) throw error;
      mended.failed.push(errorMessage(error));
    }
  }
  return mended;
}

async function apply(mend: Mend, context: Context): Promise<Partial<Mended>> {
  switch (mend.do) {
    case "chmod":
      return { done: [await changeMode(mend.path, mend.mode)] };
    case "git-hooks":
      return await refreshHooks(mend.hooks, context);
    case "skills":
      return await updateSkills(mend.agents, context);
    case "start-daemon": {
      const client = await connect(context);
      const { version, pid } = await client.ping();
      return { done: [`started the daemon (pid ${pid}, version ${version})`] };
    }
  }
}

async function changeMode(path: string, mode: number): Promise<string> {
  const node = await lstat(path);
  // A link that somebody put in its place meanwhile would lead elsewhere.
  if (node.isSymbolicLink()) throw new RoborevError(`${path} is a link now: its mode is left as it is`);
  await chmod(path, mode);
  return `chmod ${mode.toString(8)} ${path}`;
}

async function refreshHooks(hooks: HookName[], context: Context): Promise<Partial<Mended>> {
  const checkout = await findCheckout(context.cwd());
  if (checkout === undefined) return {};
  const binary = binaryOf((await gitHookStatus(checkout)).hooks, context);
  const outcomes = await installGitHooks(checkout, { binary, automatic: true, hooks });
  const changed = outcomes.filter(({ result }) => result === "installed" || result === "upgraded");
  const left = outcomes.filter(({ result }) => result === "non-shell" || result === "skipped");
  return {
    done: changed.map(({ hook, path }) => `wrote the ${hook} hook again: ${path}`),
    failed: left.map(({ path }) => `${path} is not ours alone: it is left as it is`),
  };
}

async function updateSkills(agents: readonly string[], context: Context): Promise<Partial<Mended>> {
  const done: string[] = [];
  const failed: string[] = [];
  for (const harness of agents.map(findHarness)) {
    const directory = harness && skillDirectory(harness, context.env, context.cwd());
    if (harness === undefined || directory === undefined) continue;
    const skills = await installSkills(harness, { directory, onlyPresent: true });
    const report = { agent: harness.name, name: harness.displayName, directory, skills };
    done.push(...changeLines(report));
    failed.push(...problemsOf(report));
  }
  return { done, failed };
}
