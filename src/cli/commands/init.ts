import { ensureDaemon } from "../../client/ensure.ts";
import { stopDaemon } from "../../client/stop.ts";
import type { Checkout } from "../../git/checkout.ts";
import { installGitHooks } from "../../git/hooks/install.ts";
import { resolveBinary } from "../../install/binary.ts";
import { systemProbe } from "../../install/probe.ts";
import { UsageError } from "../../lib/errors.ts";
import { typed } from "../arguments.ts";
import { type Context, define } from "../command.ts";
import { ensureConfig } from "../config-file.ts";
import { clientFor, connect } from "../connect.ts";
import { type InitReport, initNotes, initText } from "../init-text.ts";
import { errorLine } from "../output.ts";
import { requireCheckout } from "../place.ts";

export const init = define({
  meta: {
    name: "init",
    description: "Set up this repository: every commit is reviewed in the background from then on.",
  },
  args: {
    agent: { type: "string", valueHint: "name", description: "Reviewer for repositories that choose none" },
    binary: {
      type: "string",
      valueHint: "path",
      description: "Program for the git hooks (default: this one)",
    },
    daemon: {
      type: "boolean",
      default: true,
      description: "Start the daemon",
      negativeDescription: "Do not start the daemon",
    },
    force: {
      type: "boolean",
      description: "Replace foreign git hooks (a copy stays), restart the daemon",
    },
  },
  details: `It writes git hooks and, where there is none, a config.toml with a severity floor of medium. Nothing in
    the working tree changes. A second run changes nothing.`,
  examples: ["roborev init", "roborev init --agent claude-code"],
  async run(context) {
    const { args, flags, out } = context;
    const agent = await knownReviewer(args.agent);
    const checkout = await requireCheckout(context.cwd(), (child) => `cd ${child} && roborev init`);
    const { path: binary, notice } = resolveBinary({
      override: args.binary,
      execPath: process.execPath,
      env: context.env,
      cwd: context.cwd(),
      probe: systemProbe,
    });
    const config = await ensureConfig(context.paths(), agent);
    const hooks = await installGitHooks(checkout, { binary, force: args.force });
    const registration = await register(context, checkout, args);
    const report: InitReport = { repo: checkout.mainRoot, config, hooks, ...registration };
    if (flags.json) out.json(report);
    else out.print(initText(report, out));
    if (notice) out.note(notice);
    for (const note of initNotes(report, agent)) out.note(note);
    return 0;
  },
});

/** The reviewer's own name; rejects one that does not exist before anything is written. */
async function knownReviewer(name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { findReviewer, reviewerNames } = await import("../../review/agents/registry.ts");
  const reviewer = findReviewer(name);
  if (reviewer) return reviewer.name;
  throw new UsageError(`there is no reviewer ${typed(name) || "without a name"}`, {
    hint: `Use one of: ${reviewerNames().join(", ")}.`,
  });
}

/** Makes the repository known to the daemon. That this fails is part of the report: the next commit does it, too. */
async function register(
  context: Context,
  checkout: Checkout,
  args: { daemon: boolean; force: boolean },
): Promise<Pick<InitReport, "registered" | "problem">> {
  try {
    if (args.daemon && args.force) await stopDaemon({ paths: context.paths() });
    const client = args.daemon
      ? await connect(context)
      : await ensureDaemon({
          paths: context.paths(),
          client: clientFor(context),
          autostart: false,
          mayRestart: false,
        });
    await client.registerRepo(checkout.worktreeRoot);
    return { registered: true };
  } catch (error) {
    return { registered: false, problem: errorLine(error).replace(/^Error: /, "") };
  }
}
