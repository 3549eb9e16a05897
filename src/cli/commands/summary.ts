import { findCheckout } from "../../git/checkout.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import { typed } from "../arguments.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { workingDirectory } from "../place.ts";
import { summaryText } from "../summary-text.ts";

export const summary = define({
  meta: {
    name: "summary",
    description: "Sum up the reviews of this repository: verdicts, reviewers, how long it took, what failed.",
  },
  args: {
    since: {
      type: "string",
      default: "7d",
      valueHint: "time",
      description: "Queued in this time: 24h, 7d, 2w",
    },
    repo: { type: "string", valueHint: "path", description: "Repository (default: where you are)" },
    branch: { type: "string", valueHint: "name", description: "Only of this branch" },
    all: { type: "boolean", description: "Of all repositories" },
  },
  exclusive: [{ names: ["repo", "all"] }],
  examples: ["roborev summary", "roborev summary --since 24h --branch main", "roborev summary --all --json"],
  async run(context) {
    const { args, flags, out } = context;
    const sinceMs = context.now().getTime() - periodMs(args.since);
    const repo = args.all ? undefined : await rootAt(workingDirectory(context, args.repo));
    const client = await connect(context);
    const found = await client.summary({
      since: new Date(sinceMs).toISOString(),
      ...(repo === undefined ? {} : { repo }),
      ...(args.branch === undefined ? {} : { branch: args.branch }),
    });
    if (flags.json) out.json(found);
    else out.print(summaryText(found, args.since));
    return 0;
  },
});

async function rootAt(directory: string): Promise<string> {
  const checkout = await findCheckout(directory);
  if (checkout) return checkout.mainRoot;
  throw new RoborevError(`${singleLine(directory)} is not inside a git repository`, {
    code: "E_NOT_A_REPO",
    hint: "Change into one, or sum up all with --all.",
  });
}

const unitMs: Record<string, number> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function periodMs(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  const size = unitMs[unit];
  if (size !== undefined) return Number(count) * size;
  throw new UsageError(`--since cannot be ${typed(text) || "empty"}`, {
    hint: "Write it like 24h, 7d or 2w.",
  });
}
