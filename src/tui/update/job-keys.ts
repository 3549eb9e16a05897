import { withoutDataBlock } from "../../lib/review-text.ts";
import { safeMultiline } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import type { Effect, KeyPress, Next } from "../message.ts";
import { type Model, screenOf } from "../model.ts";
import { flash } from "./flash.ts";
import { open } from "./screens.ts";

const hasEnded = ({ status }: Job) => status !== "queued" && status !== "running";

/** What a key does to a job, wherever that is shown; undefined where it is none of these keys. */
export function onJobKey(model: Model, job: Job | undefined, { text, ctrl }: KeyPress): Next | undefined {
  if (ctrl || !"acymxrpltF".includes(text) || text === "") return undefined;
  if (job === undefined) return [flash(model, "There is no job to do that to", true), []];
  const { id: jobId } = job;
  const refuse = (why: string): Next => [flash(model, `Job ${jobId} ${why}`, true), []];
  switch (text) {
    case "a":
      if (job.closed === undefined) return refuse("has no review yet");
      return [model, [{ kind: "close", jobId, closed: !job.closed }]];
    case "c":
      return [open(model, { kind: "comment", jobId, text: "" }), []];
    case "y":
      return copy(model, job);
    case "m":
      return [open(model, { kind: "commit", jobId, scroll: 0 }), [{ kind: "load-commit", job }]];
    case "F":
      if (job.verdict !== "F") return refuse("has no review that failed");
      return [open(model, { kind: "fix", jobId, text: "" }), []];
    case "x":
      if (hasEnded(job)) return refuse("has ended already");
      return ask(model, `Cancel job ${jobId}?`, jobId, "cancel");
    case "r":
      if (!hasEnded(job)) return refuse("has not ended yet");
      return ask(model, `Review job ${jobId} again?`, jobId, "rerun");
    case "p":
      return [open(model, { kind: "prompt", jobId, scroll: 0 }), [{ kind: "load-prompt", jobId }]];
    default:
      return openLog(model, job);
  }
}

export function openLog(model: Model, { id: jobId, agent }: Job): Next {
  const screen = { kind: "log", jobId, scroll: 0, follows: true, text: "" } as const;
  return [open(model, screen), [{ kind: "follow-log", jobId, agent }]];
}

function copy(model: Model, { id: jobId }: Job): Next {
  const screen = screenOf(model);
  if (screen?.kind === "prompt" && screen.job?.prompt) return copied(model, screen.job.prompt, "prompt");
  if (screen?.kind === "review" && screen.review)
    return copied(model, withoutDataBlock(screen.review.output), "review");
  return [flash(model, `Open the review of job ${jobId} to copy it`, true), []];
}

const copied = (model: Model, text: string, what: string): Next => [
  model,
  [{ kind: "copy", text: safeMultiline(text), what }],
];

type Action = NonNullable<Model["question"]>["action"];

/** Does it once the user says yes. */
export const ask = (model: Model, text: string, job: number, action: Action): Next => [
  { ...model, question: { text: `${text} y/n`, job, action } },
  [],
];

/** Any key but `y` is a no. */
export function answer(model: Model, key: KeyPress): Next {
  const { question, ...rest } = model;
  if (question === undefined || key.text !== "y" || key.ctrl) return [rest, []];
  const effect: Effect = { kind: question.action, jobId: question.job };
  return [rest, [effect]];
}
