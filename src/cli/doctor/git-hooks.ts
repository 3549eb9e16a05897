import type { Checkout } from "../../git/checkout.ts";
import { isInside, realTarget } from "../../git/hooks/directory.ts";
import { type HookName, manualSnippet } from "../../git/hooks/script.ts";
import { gitHookStatus, type HookStatus } from "../../git/hooks/status.ts";
import { findOnPath } from "../../install/detect.ts";
import { systemProbe } from "../../install/probe.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { type Check, error, type Finding, note, warning } from "./finding.ts";
import { findHookTools, type HookTool, hookSnippets } from "./hook-tools.ts";
import { launchProblem, probeLaunch, shimManager } from "./launch.ts";

export interface GitHooks {
  hooks: HookStatus[];
  /** Where git looks for them. */
  directory: string;
  /** Ours alone to change: inside of the git directory, links followed. */
  isPrivate: boolean;
  tools: HookTool[];
  /** Why the program of a hook does not start, although it is there. */
  launches: Partial<Record<HookName, string>>;
}

/** Undefined outside of a repository. */
export async function probeGitHooks(
  checkout: Checkout | undefined,
  env: Record<string, string | undefined>,
): Promise<GitHooks | undefined> {
  if (checkout === undefined) return undefined;
  const { directory, hooks } = await gitHookStatus(checkout);
  const real = await Promise.all(hooks.map(({ path }) => realTarget(path)));
  return {
    hooks,
    directory: directory.path,
    isPrivate: real.every((path) => isInside(path, checkout.commonDir)),
    tools: await findHookTools(checkout, directory.path),
    launches: await launchProblems(hooks, env),
  };
}

async function launchProblems(hooks: readonly HookStatus[], env: Record<string, string | undefined>) {
  const find = (name: string) => findOnPath(name, env, systemProbe);
  const problems: GitHooks["launches"] = {};
  for (const { hook, binary } of hooks) {
    if (binary?.executable !== true || shimManager(binary.path) === undefined) continue;
    const why = launchProblem(await probeLaunch(binary.path, env, find));
    if (why !== undefined) problems[hook] = why;
  }
  return problems;
}

/** Whether commits are not reviewed because of it. */
export const blocksReviews = ({ severity, code }: Finding): boolean =>
  severity === "error" || code === "not-set-up";

const isOurs = ({ state, byHand }: HookStatus) =>
  state === "current" || state === "outdated" || state === "damaged" || byHand === true;

export function judgeGitHooks(found: GitHooks | undefined): Check {
  const check = (summary: string, findings: Finding[] = []): Check => ({
    name: "git-hooks",
    title: "Git hooks",
    summary,
    findings,
  });
  if (found === undefined) return check("not in a repository");
  const { hooks, directory, tools } = found;
  const caller = tools.find(({ runsUs }) => runsUs);
  const ours = hooks.filter(isOurs);
  if (ours.length === 0) {
    if (caller !== undefined) return check(`called by ${caller.name}, see ${caller.file}`);
    return check("none of ours", [notSetUp(hooks, tools)]);
  }
  return check(`${ours.map(({ hook }) => hook).join(" and ")} in ${directory}`, [
    ...hooks.flatMap((hook) => hookFindings(hook, found)),
    ...(caller === undefined ? tools.map((tool) => rewritten(tool)) : [twice(caller)]),
  ]);
}

function notSetUp(hooks: readonly HookStatus[], [tool]: readonly HookTool[]): Finding {
  const what = "commits of this repository are not reviewed";
  if (tool !== undefined)
    return warning("not-set-up", `${what}; ${tool.name} writes its git hooks`, snippetFor(tool));
  const nonShell = hooks.find(({ hook, state }) => hook === "post-commit" && state === "non-shell");
  return nonShell
    ? warning("not-set-up", `${what}: ${nonShell.path} is no shell script`, handwork(nonShell))
    : warning("not-set-up", what, "roborev init");
}

/** Everything that keeps one hook from doing its work. */
function hookFindings(status: HookStatus, { isPrivate, tools, launches }: GitHooks): Finding[] {
  const { hook, path, state, executable, alone, binary, byHand } = status;
  const broken = hook === "post-commit" ? error : warning;
  const refresh = isPrivate ? { mend: { do: "git-hooks" as const, hooks: [hook] } } : {};
  const found: Finding[] = [];
  if (state === "missing") {
    found.push(broken("hook-missing", `the ${hook} hook is missing`, "roborev init", refresh));
    return found;
  }
  if (byHand !== true && (state === "foreign" || state === "non-shell")) {
    const [tool] = tools;
    const own = state === "foreign" ? "roborev init" : handwork(status);
    const what = `the ${hook} hook ${state === "foreign" ? "" : "is no shell script and "}does not run roborev`;
    return [broken("hook-foreign", what, tool === undefined ? own : snippetFor(tool))];
  }
  if (state === "outdated")
    found.push(warning("hook-outdated", `the ${hook} hook is of an older version`, "roborev init", refresh));
  if (state === "damaged")
    found.push(broken("hook-damaged", `the ${hook} hook was cut by hand`, "roborev init", refresh));
  if (!executable) {
    // Beside somebody else's lines it would make those run as well.
    const mend = alone ? { mend: { do: "chmod" as const, path, mode: 0o755 } } : {};
    const what = `the ${hook} hook is not executable, so git ignores it`;
    found.push(broken("hook-not-executable", what, `chmod +x ${shellWord(path)}`, mend));
  }
  if (binary !== undefined && !binary.executable) {
    const what = `the ${hook} hook runs ${binary.path}, which is not there any more; it falls back to roborev on PATH`;
    found.push(warning("hook-program", what, "roborev init", refresh));
  }
  const launch = launches[hook];
  if (launch !== undefined)
    found.push(
      broken("hook-shim", `the ${hook} hook does not start roborev: ${launch}`, "roborev init --binary PATH"),
    );
  return found;
}

/** What only the owner of a hook in another language can do. */
const handwork = ({ hook, path }: HookStatus): string => `In ${path}: ${manualSnippet(hook, "roborev")}`;

const snippetFor = ({ name, file }: HookTool): string =>
  name === "husky" ? hookSnippets.husky : `In ${file}:\n${indented(hookSnippets[name])}`;

const indented = (text: string) => text.replace(/^/gm, "  ");

const rewritten = (tool: HookTool): Finding =>
  note(
    "hook-tool",
    `the git hooks are written by ${tool.name}, which may take ours away; what stands in its own file stays`,
    snippetFor(tool),
  );

const twice = ({ name, file }: HookTool): Finding =>
  note(
    "hook-twice",
    `roborev is called by ${name} as well, see ${file}; a commit is reviewed once all the same`,
  );
