import { findCheckout } from "../../git/checkout.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";
import { type Context, define } from "../command.ts";
import { connect } from "../connect.ts";
import {
  type Asked,
  askedDisposition,
  disposedText,
  exclusiveStates,
  notUnderstood,
  statesNeedFinding,
} from "../disposition.ts";
import { editText } from "../editor.ts";
import { findJob, resolveTarget } from "../target.ts";

export const comment = define({
  meta: {
    name: "comment",
    description: "Comment on a review, or say what has become of a finding: fixed, refuted or deferred.",
  },
  args: {
    review: { type: "positional", description: "Number of a job, or a commit" },
    message: { type: "string", alias: "m", valueHint: "text", description: "The comment" },
    commenter: { type: "string", valueHint: "name", description: "Who says it (default $USER)" },
    job: { type: "boolean", description: "The argument is the number of a job" },
    finding: {
      type: "string",
      valueHint: "numbers",
      description: "About these findings, by their numbers in roborev show: 2, or 1,3",
    },
    fixed: { type: "boolean", description: "With --finding: it is fixed; the text may be left out" },
    refuted: { type: "boolean", description: "With --finding: it is wrong, for the reason in the text" },
    deferred: {
      type: "boolean",
      description: "With --finding: it is right, but not for now; the text says why",
    },
  },
  rest: { name: "text", description: "The comment, as words" },
  exclusive: [{ names: ["message", "text"] }, ...exclusiveStates],
  requires: statesNeedFinding,
  details: `Without a text it is read from standard input, or written in $EDITOR at a terminal.

    What was said last of a finding holds. Later reviews of the same code are told, so that they neither raise it again nor
    ask for a fix to be undone. It does not close the review.`,
  examples: [
    'roborev comment 42 "Fixed: the index is checked now"',
    "roborev comment --commenter roborev-fix --job 42 -m 'Fixed in 1a2b3c4'",
    'roborev comment 42 --finding 2 --refuted -m "The caller checks the index"',
  ],
  async run(context) {
    const { args, flags, out } = context;
    const checkout = await findCheckout(context.cwd());
    const asked = askedDisposition(args);
    const target = await resolveTarget(args.review, checkout, { forceJob: args.job });
    const commenter = singleLine(args.commenter ?? context.env.USER ?? "") || "anonymous";
    const text = await commentText(context, args.message, asked);
    const client = await connect(context);
    const job = target.kind === "job" ? { id: target.id } : await findJob(client, target, checkout);
    if (job === undefined) {
      throw new RoborevError(`no job found for ${target.kind === "ref" ? target.label : target.id}`, {
        code: "E_NO_JOB",
      });
    }
    const saved = await client.comment({
      job_id: job.id,
      commenter: truncateUtf8(commenter, 128),
      ...(text === undefined ? {} : { comment: text }),
      ...(asked && { finding: asked.findings, disposition: asked.state }),
      ...(checkout ? { worktree_path: checkout.worktreeRoot } : {}),
    });
    if (asked && !("findings" in saved)) throw notUnderstood(job.id);
    if (flags.json) out.json(saved);
    else out.print(asked ? disposedText(job.id, asked) : `Comment added to job ${job.id}`);
    return 0;
  },
});

const maxBytes = 256 * 1024;

/** Undefined: nothing is said, nor needs to be. */
async function commentText(
  context: Context,
  message: string | undefined,
  asked: Asked | undefined,
): Promise<string | undefined> {
  const given = message ?? (context.rest.length > 0 ? context.rest.join(" ") : undefined);
  if (given !== undefined) {
    if (given.trim() === "") throw new UsageError("the comment is empty");
    return sized(given.trim());
  }
  if (asked?.state === "fixed") return undefined;
  const text = context.stdin.isTerminal ? await editText(context) : (await context.stdin.text()).trim();
  if (text !== "") return sized(text);
  throw asked
    ? new RoborevError(`a finding is ${asked.state} for a reason, and there is none: nothing was sent`, {
        code: "E_EMPTY_COMMENT",
        hint: "Give it with -m.",
      })
    : new RoborevError("the comment is empty, nothing was sent", { code: "E_EMPTY_COMMENT" });
}

function sized(text: string): string {
  if (new TextEncoder().encode(text).length <= maxBytes) return text;
  throw new RoborevError("the comment is longer than 256 KiB", { code: "E_TOO_LARGE" });
}
