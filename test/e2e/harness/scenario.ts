import { waitFor } from "../../support/wait.ts";
import type { Checks } from "../check.ts";
import type { Facts, PromiseKey } from "./facts.ts";
import { remindedIds, type Step } from "./model.ts";
import type { Program } from "./program.ts";
import type { Job, Scene, SceneOptions } from "./scene.ts";

export interface Stage extends Pick<Checks, "check" | "equal"> {
  program: Program;
  /** What the page says of this program afterwards. */
  facts: Facts;
  /** Notes for the page whether every check in there held. */
  shows<T>(promise: PromiseKey | undefined, part: () => Promise<T>): Promise<T>;
  open(options?: Partial<SceneOptions>): Promise<Scene>;
}

/** `journey`: every program; `review`: the reviewers among them; `deep`: the newest Claude Code and Codex. */
export type Group = "journey" | "review" | "deep";

export interface Scenario {
  name: string;
  group: Group;
  /** The promise of the page that the whole of it shows. */
  shows?: PromiseKey;
  /** What the checks together prove. */
  promise: string;
  only?: Program["name"];
  /** Only the newest releases of the programs of which this is said. */
  needs?: "readsTexts";
  play(stage: Stage): Promise<void>;
}

/** One failed review is enough for a reminder, and turns alone are none: for a program that reads this section. */
export const failuresIn = (section: string) =>
  `[${section}]\nfailed_review_threshold = 1\nturn_threshold = 0`;
export const everyFailure = failuresIn("agent_hook");
/** Reminders come at the end of turns only. */
export const everyTurn = (turns: number) =>
  `[agent_hook]\nfailed_review_threshold = 0\nturn_threshold = ${turns}`;

export const done = (number = 1): Step => ({ text: `DONE-${number}` });
export const look: Step = { shell: "echo LOOKED" };

/** A commit whose review fails; the file's name tells them apart. */
export const commitBug = (file: string): string =>
  `printf 'BUG: %s\\n' ${file} > ${file} && git add -A && git commit -q -m 'Add ${file}' && echo COMMITTED`;

/** The same, and the command ends after its review: the next hook meets a failed review. */
export const commitReviewedBug = (file: string): string => `${commitBug(file)}; roborev wait --quiet || true`;

/** The newest failed review; fails when there is none. */
export async function failedJob(scene: Scene): Promise<Job> {
  const job = (await scene.jobs()).find(({ verdict }) => verdict === "F");
  if (job === undefined) throw new Error("no review failed");
  return job;
}

/** Waits until as many reviews are done. */
export function reviewsDone(scene: Scene, count: number): Promise<unknown> {
  return waitFor(
    `${count} reviews`,
    async () => (await scene.jobs()).filter(({ status }) => status === "done").length >= count,
    30_000,
  );
}

/** Leaves a failed review behind that no session knows of. */
export async function leaveFailedReview(scene: Scene, file = "old.txt"): Promise<Job> {
  await scene.run(["sh", "-c", commitReviewedBug(file)]);
  return failedJob(scene);
}

/** The command that ends the fix session, as the last reminder in a request names it. */
function fixDone(request: string): string {
  const command = [...request.matchAll(/run `([^`]+ agent-hook fix-done [^`]+)`/g)].at(-1)?.[1];
  return command === undefined ? "echo 'no fix session'; false" : (JSON.parse(`"${command}"`) as string);
}

/** What an agent does that leaves the reviews to others. */
export const endFixSession: Step = (request) => ({ shell: fixDone(request) });

/** Ends every fix session, as a user does for a session that is gone. */
export async function endFixSessions(scene: Scene): Promise<void> {
  const { fix_sessions: fixes = {} } = await hookState(scene);
  for (const { id } of Object.values(fixes)) await scene.roborev("agent-hook", "fix-done", id);
}

/** What `agent-hook status` knows. */
export async function hookState(
  scene: Scene,
): Promise<{ sessions: Record<string, object>; fix_sessions?: Record<string, { id: string }> }> {
  return JSON.parse((await scene.roborev("agent-hook", "status", "--json")).stdout);
}

/** What an agent does that follows the reminder in its context. */
export const followReminder: Step = (request) => {
  const id = remindedIds(request).at(-1)?.[0];
  if (id === undefined) return { text: "There is no reminder to follow." };
  const roborev = /Should your shell not find roborev, it is \\"([^"\\]+)\\"/.exec(request)?.[1];
  return {
    shell:
      `${roborev} show --job ${id} --json && printf 'fixed\\n' > fixed.txt && git add -A && git commit -q -m Fix; ` +
      `${roborev} comment --commenter agent-hook --job ${id} 'Fixed.' && ${roborev} close ${id}; ${fixDone(request)}`,
  };
};
