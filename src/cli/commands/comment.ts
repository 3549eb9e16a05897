import { findCheckout } from "../../git/checkout.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";
import { type Context, define } from "../command.ts";
import { connect } from "../connect.ts";
import { editText } from "../editor.ts";
import { findJob, resolveTarget } from "../target.ts";

export const comment = define({
  meta: { name: "comment", description: "Comment on a review: what was fixed, or why a finding is wrong." },
  args: {
    review: { type: "positional", description: "Number of a job, or a commit" },
    message: { type: "string", alias: "m", valueHint: "text", description: "The comment" },
    commenter: { type: "string", valueHint: "name", description: "Who says it (default $USER)" },
    job: { type: "boolean", description: "The argument is the number of a job" },
  },
  rest: { name: "text", description: "The comment, as words" },
  exclusive: [{ names: ["message", "text"] }],
  details: "Without a text it is read from standard input, or written in $EDITOR at a terminal.",
  examples: [
    'roborev comment 42 "Fixed: the index is checked now"',
    "roborev comment --commenter roborev-fix --job 42 -m 'Fixed in 1a2b3c4'",
  ],
  async run(context) {
    const { args, flags, out } = context;
    const checkout = await findCheckout(context.cwd());
    const target = await resolveTarget(args.review, checkout, { forceJob: args.job });
    const commenter = singleLine(args.commenter ?? context.env.USER ?? "") || "anonymous";
    const text = await commentText(context, args.message);
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
      comment: text,
      ...(checkout ? { worktree_path: checkout.worktreeRoot } : {}),
    });
    if (flags.json) out.json(saved);
    else out.print(`Comment added to job ${job.id}`);
    return 0;
  },
});

const maxBytes = 256 * 1024;

async function commentText(context: Context, message: string | undefined): Promise<string> {
  const given = message ?? (context.rest.length > 0 ? context.rest.join(" ") : undefined);
  if (given !== undefined) {
    if (given.trim() === "") throw new UsageError("the comment is empty");
    return sized(given.trim());
  }
  const text = context.stdin.isTerminal ? await editText(context) : (await context.stdin.text()).trim();
  if (text === "")
    throw new RoborevError("the comment is empty, nothing was sent", { code: "E_EMPTY_COMMENT" });
  return sized(text);
}

function sized(text: string): string {
  if (new TextEncoder().encode(text).length <= maxBytes) return text;
  throw new RoborevError("the comment is longer than 256 KiB", { code: "E_TOO_LARGE" });
}
