import { runUserGitChecked, type UserGitOptions } from "../../git/as-user.ts";
import { gitText } from "../../git/exec.ts";
import {
  applyPatch,
  type PatchBytes,
  patchBetween,
  revertPatch,
  type TreePatch,
} from "../../git/tree-patch.ts";
import { commitStaged, type HookRefusal } from "../../git/user-commit.ts";
import type { WorkingState } from "../../git/working-state.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";
import { buildHookRefusalPrompt } from "../prompt/fix/hook-refusal.ts";
import { runFixAgent } from "./agent-run.ts";
import { leftoverText } from "./comment-text.ts";
import { hasEnded } from "./outcome.ts";
import type { FixAgent, FixServices } from "./services.ts";
import type { TreeChange } from "./tree-change.ts";
import { observedChange } from "./turn.ts";
import type { WorktreeLock } from "./worktree-lock.ts";

const maxAttempts = 3;
const mendTimeoutMs = 5 * 60_000;
/** Hooks may run whole test suites. */
const commitTimeoutMs = 30 * 60_000;

/** A change that is to become a commit. */
export interface Change {
  jobId: number;
  /** The working tree, without uncommitted changes. */
  before: WorkingState & { head: string };
  patch: PatchBytes;
  message: string;
}

/** What committing needs. `lock.trees` exists. */
export interface CommitServices
  extends Pick<
    FixServices,
    "checkout" | "client" | "env" | "now" | "progress" | "scratchDirectory" | "signal"
  > {
  lock: Pick<WorktreeLock, "mark" | "remember" | "trees">;
  settings: Pick<FixServices["settings"], "credit" | "timeoutMs">;
}

export type Committed = Extract<TreeChange, { kind: "committed" }>;

/**
 * Puts a change into the working tree and commits it as its user would. What a git hook refuses the agent mends, if there
 * is one, there and twice at most. Where no commit comes of it the working tree is put back, or the user is told what is left in it.
 */
export async function commitChange(
  services: CommitServices,
  agent: FixAgent | undefined,
  change: Change,
): Promise<Committed> {
  const { before, message } = change;
  const git = userGit(services);
  let staged: PatchBytes = change.patch;
  await applyPatch(staged, git);
  try {
    for (let attempt = 1; ; attempt++) {
      const refusal = await commitStaged(message, {
        ...{ ...git, ...services.settings.credit, scratchDirectory: services.lock.trees },
      });
      if (refusal === undefined) break;
      services.signal.throwIfAborted();
      if (agent === undefined || attempt === maxAttempts) throw refused(refusal, attempt);
      services.progress.say(`The git hook ${singleLine(refusal.hook)} refused the commit. Asking the agent.`);
      await mend(services, agent, { ...change, refusal });
      staged = (await stageAll(services, before)) ?? staged;
    }
  } catch (error) {
    await putBack(services, before, staged);
    services.signal.throwIfAborted();
    throw error;
  }
  const made = await observedChange(services, before);
  if (made.kind === "committed") return made;
  throw new RoborevError(`git made the commit, and then ${whatOf(made)}`, {
    code: "E_COMMIT",
    hint: "See: git status, git reflog",
  });
}

const userGit = ({ checkout, env, signal }: CommitServices): UserGitOptions => ({
  ...{ cwd: checkout.worktreeRoot, env, signal },
  timeoutMs: commitTimeoutMs,
});

/** Lets the agent mend in the working tree what a hook refused. */
async function mend(
  services: CommitServices,
  agent: FixAgent,
  { jobId, before, refusal }: Change & { refusal: HookRefusal },
): Promise<void> {
  const outcome = await runFixAgent({ ...services, settings: { timeoutMs: mendTimeoutMs } }, agent, {
    jobId,
    prompt: buildHookRefusalPrompt({
      ...refusal,
      untracked: [...before.untracked.keys()],
      nonce: crypto.randomUUID(),
    }),
  });
  services.signal.throwIfAborted();
  if (!hasEnded(outcome)) {
    const why = outcome.ok ? "it failed" : outcome.message;
    throw new RoborevError(
      `the git hook ${singleLine(refusal.hook)} refused the commit, and the agent could not mend it: ${why}`,
      { code: "E_COMMIT_REFUSED" },
    );
  }
  const change = await observedChange(services, before);
  if (change.kind === "astray" || change.kind === "committed") {
    throw new RoborevError(
      `the agent was to mend what the git hook ${singleLine(refusal.hook)} refused, and ${whatOf(change)}`,
      { code: "E_ASTRAY", hint: "See: git status, git reflog" },
    );
  }
}

/** Stages all that is changed by now, but no file that the user had there before; the patch that it all makes. */
async function stageAll(services: CommitServices, before: Change["before"]): Promise<TreePatch | undefined> {
  const change = await observedChange(services, before);
  if (change.kind !== "uncommitted") return undefined;
  const { worktreeRoot: cwd } = services.checkout;
  const paths = change.paths.filter((path) => !before.untracked.has(path));
  await runUserGitChecked(
    ["--literal-pathspecs", "add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"],
    { ...userGit(services), stdin: paths.join("\0") },
  );
  return patchBetween({ cwd }, before.head, await gitText(["write-tree"], { cwd }));
}

function refused({ hook, output }: HookRefusal, attempts: number): RoborevError {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const last = truncateUtf8(singleLine(lines.at(-1) ?? ""), 300);
  const why = last === "" ? "" : `: ${last}`;
  return new RoborevError(
    `the git hook ${singleLine(hook)} refused the commit${attempts === 1 ? "" : ` ${attempts} times`}${why}`,
    {
      code: "E_COMMIT_REFUSED",
    },
  );
}

/** Takes the change out of the working tree again, and says in what state that is then. */
async function putBack(
  services: CommitServices,
  before: Change["before"],
  staged: PatchBytes,
): Promise<void> {
  const { progress } = services;
  // An interrupt must not keep it from being put back.
  const git = { ...userGit(services), signal: new AbortController().signal };
  try {
    const now = await observedChange(services, before);
    const isThere = now.kind === "uncommitted" && (await revertPatch(staged, git));
    const left = isThere ? await observedChange(services, before) : now;
    progress.warn(left.kind === "none" ? "The working tree is as it was." : leftText(left));
  } catch (error) {
    progress.warn(`The working tree may hold the change: ${errorMessage(error)}. See: git status`);
  }
}

function leftText(change: TreeChange): string {
  const leftover = leftoverText(change);
  return leftover === ""
    ? `In the working tree somebody ${whatOf(change)}. See: git status, git reflog`
    : `The change is in the working tree. ${leftover}. See: git status`;
}

function whatOf(change: TreeChange): string {
  if (change.kind === "astray") return singleLine(change.what);
  if (change.kind === "committed") return `made the commit ${change.sha.slice(0, 7)}`;
  return change.kind === "none" ? "changed nothing" : "changed files";
}
