import { join } from "node:path";
import type { DaemonClient } from "../client/daemon.ts";
import { errorMessage } from "../lib/errors.ts";
import { safeMultiline } from "../lib/text.ts";
import type { Job } from "../store/schema.ts";
import { clipboardEscape } from "./clipboard.ts";
import type { Column } from "./columns.ts";
import type { TuiFixes } from "./fixes.ts";
import { followLog, type Renderer } from "./log-follower.ts";
import type { Effect, Message } from "./message.ts";
import type { RepoChoice } from "./model.ts";

/** Fixes that are shown: older ones are in `roborev list`. */
const mostTasks = 500;

/** What effects need of the world. */
export interface TuiWorld {
  client: DaemonClient;
  /** Directory of the logs of jobs. */
  jobLogs: string;
  /** Who comments. */
  commenter: string;
  dispatch(message: Message): void;
  /** Writes an escape to the terminal, beside the frames. */
  writeEscape(text: string): void;
  renderer(agent: string): Promise<Renderer>;
  /** The whole message of a commit; undefined where it cannot be found. */
  commitMessage(job: Job): Promise<string | undefined>;
  fixes: TuiFixes;
  saveColumns(hidden: Column[], order: readonly Column[]): Promise<void>;
  quit(): void;
}

/** Does what an effect asks and tells what came of it. Never rejects. */
export function createPerformer(world: TuiWorld): (effect: Effect) => void {
  let log: AbortController | undefined;
  const { dispatch } = world;
  return (effect) => {
    if (effect.kind === "follow-log" || effect.kind === "leave-log") log?.abort();
    if (effect.kind === "follow-log") {
      log = new AbortController();
      void follow(world, effect, log.signal);
      return;
    }
    answerTo(world, effect).catch((error) => dispatch(failureOf(effect, errorMessage(error))));
  };
}

/** Shown where the answer would have been, else for a while. */
function failureOf(effect: Effect, problem: string): Message {
  if (effect.kind === "load-review") return { kind: "review", jobId: effect.jobId, problem };
  if (effect.kind === "load-prompt") return { kind: "prompt", jobId: effect.jobId, problem };
  if (effect.kind === "load-patch") return { kind: "patch", jobId: effect.jobId, problem };
  if (effect.kind === "load-commit") return { kind: "commit", jobId: effect.job.id, text: problem };
  return { kind: "failed", text: problem };
}

async function answerTo(world: TuiWorld, effect: Effect): Promise<void> {
  const { client, dispatch } = world;
  switch (effect.kind) {
    case "load-jobs": {
      const { generation, isMore } = effect;
      return dispatch({ kind: "jobs", generation, isMore, page: await client.jobs(effect.query) });
    }
    case "load-job":
      return dispatch({ kind: "job", id: effect.id, job: (await client.jobs({ id: effect.id })).jobs[0] });
    case "load-status":
      return dispatch({ kind: "status", status: await client.status() });
    case "load-tasks": {
      const { jobs: tasks } = await client.jobs({ job_type: "fix", limit: mostTasks });
      return dispatch({ kind: "tasks", tasks });
    }
    case "load-patch": {
      const text = new TextDecoder().decode(await client.patch(effect.jobId));
      return dispatch({ kind: "patch", jobId: effect.jobId, text });
    }
    case "save-patch": {
      const path = await world.fixes.save(effect.jobId, await client.patch(effect.jobId));
      return dispatch({ kind: "done", text: `Saved as ${path}` });
    }
    case "load-review": {
      const { jobId } = effect;
      return dispatch({ kind: "review", jobId, review: await client.review({ job_id: jobId }) });
    }
    case "load-prompt": {
      const job = (await client.jobs({ id: effect.jobId })).jobs[0];
      return dispatch({
        kind: "prompt",
        jobId: effect.jobId,
        ...(job ? { job } : { problem: "The job is gone." }),
      });
    }
    case "load-repos":
      return dispatch({ kind: "repos", repos: (await client.repos()).repos.map(choiceOf) });
    case "load-branches": {
      const { branches } = await client.branches(effect.repo);
      return dispatch({ kind: "branches", repo: effect.repo, branches });
    }
    case "load-commit": {
      const text =
        (await world.commitMessage(effect.job)) ?? effect.job.commit_subject ?? "There is no commit.";
      return dispatch({ kind: "commit", jobId: effect.job.id, text });
    }
    case "copy":
      return copy(world, effect);
    case "save-columns":
      return await world.saveColumns(effect.hidden, effect.order);
    case "quit":
      return world.quit();
    default:
      return await change(world, effect);
  }
}

type Change = Extract<
  Effect,
  { kind: "cancel" | "rerun" | "close" | "comment" | "pause" | "fix" | "apply" | "rebase" }
>;

async function change(world: TuiWorld, effect: Effect): Promise<void> {
  const { client, commenter, dispatch, fixes } = world;
  const asked = effect as Change;
  switch (asked.kind) {
    case "cancel":
      await client.cancelJob(asked.jobId);
      return dispatch({ kind: "done", text: `Job ${asked.jobId} canceled`, jobId: asked.jobId });
    case "rerun":
      await client.rerunJob(asked.jobId);
      return dispatch({ kind: "done", text: `Job ${asked.jobId} is queued again`, jobId: asked.jobId });
    case "close": {
      await client.closeReview({ job_id: asked.jobId, closed: asked.closed });
      const text = `Job ${asked.jobId} ${asked.closed ? "closed" : "opened again"}`;
      return dispatch({ kind: "done", text, jobId: asked.jobId });
    }
    case "comment":
      await client.comment({ job_id: asked.jobId, commenter, comment: asked.text });
      return dispatch({ kind: "done", text: `Comment added to job ${asked.jobId}`, jobId: asked.jobId });
    case "fix": {
      const { id } = await fixes.queue(asked.jobId, asked.text);
      return dispatch({ kind: "done", text: `Job ${id} fixes job ${asked.jobId}: T shows it`, jobId: id });
    }
    case "apply":
      return dispatch({ kind: "done", text: await fixes.apply(asked.jobId), jobId: asked.jobId });
    case "rebase": {
      const { id } = await fixes.rebase(asked.jobId);
      dispatch({ kind: "done", text: `Job ${id} makes job ${asked.jobId} anew`, jobId: id });
      return dispatch({ kind: "event", jobId: asked.jobId });
    }
    case "pause":
      await (asked.paused ? client.pauseQueue() : client.unpauseQueue());
      return dispatch({ kind: "done", text: asked.paused ? "The queue is paused" : "The queue goes on" });
  }
}

function copy({ dispatch, writeEscape }: TuiWorld, { text, what }: Extract<Effect, { kind: "copy" }>): void {
  const sequence = clipboardEscape(text);
  if (sequence === undefined) {
    dispatch({ kind: "failed", text: `The ${what} is too long for a terminal's clipboard` });
    return;
  }
  writeEscape(sequence);
  dispatch({ kind: "done", text: `The ${what} is on the clipboard, if this terminal allows that` });
}

async function follow(
  { dispatch, jobLogs, renderer }: TuiWorld,
  { jobId, agent }: Extract<Effect, { kind: "follow-log" }>,
  signal: AbortSignal,
): Promise<void> {
  await followLog(join(jobLogs, `${jobId}.log`), {
    signal,
    renderer: () => renderer(agent),
    onText: (text, isAnew) => dispatch({ kind: "log", jobId, text, isAnew }),
    onProblem: (problem) => dispatch({ kind: "log-problem", jobId, problem: safeMultiline(problem) }),
  });
}

const choiceOf = (repo: { root_path: string; name: string; job_count: number }): RepoChoice => ({
  path: repo.root_path,
  name: repo.name,
  count: repo.job_count,
  isExpanded: false,
});
