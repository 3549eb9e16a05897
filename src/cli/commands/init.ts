import { ensureDaemon } from "../../client/ensure.ts";
import { stopDaemon } from "../../client/stop.ts";
import type { Checkout } from "../../git/checkout.ts";
import { installGitHooks } from "../../git/hooks/install.ts";
import { resolveBinary } from "../../install/binary.ts";
import { systemProbe } from "../../install/probe.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { type Context, define } from "../command.ts";
import { ensureConfig } from "../config-file.ts";
import { clientFor, connect } from "../connect.ts";
import { type InitReport, initNotes, initText } from "../init-text.ts";
import { errorLine } from "../output.ts";
import { requireCheckout } from "../place.ts";
import { chosenReviewer, knownReviewer } from "../reviewer.ts";

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
    const checkout = await requireCheckout(
      context.cwd(),
      (child) => `cd ${shellWord(child)} && roborev init`,
    );
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
    const chosen = await chosenReviewer(checkout, context.paths(), context.env);
    const report: InitReport = {
      repo: checkout.mainRoot,
      config,
      hooks,
      ...registration,
      ...("reviewer" in chosen ? chosen : { reviewer_problem: chosen.problem }),
    };
    if (flags.json) out.json(report);
    else out.print(initText(report, out));
    if (notice) out.note(notice);
    for (const note of initNotes(report, agent)) out.note(note);
    return 0;
  },
});

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
