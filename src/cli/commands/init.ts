import { ensureDaemon } from "../../client/ensure.ts";
import { stopDaemon } from "../../client/stop.ts";
import { DaemonError } from "../../client/transport.ts";
import type { Checkout } from "../../git/checkout.ts";
import { installGitHooks } from "../../git/hooks/install.ts";
import { resolveBinary } from "../../install/binary.ts";
import { systemProbe } from "../../install/probe.ts";
import { ExitCode } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { type Context, define } from "../command.ts";
import { ensureConfig } from "../config-file.ts";
import { clientFor, connect } from "../connect.ts";
import type { Finding } from "../doctor/finding.ts";
import { blocksReviews, judgeGitHooks, probeGitHooks } from "../doctor/git-hooks.ts";
import { type InitReport, initNotes, initText, type Todo } from "../init-text.ts";
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
  details: `It writes git hooks where git looks for them and, where there is none, a config.toml with a severity floor
    of medium. Nothing in the working tree changes, unless core.hooksPath names a directory in it, as that of a hook
    manager; then it also says what belongs into the manager's own file. A second run changes nothing.`,
  exitCodes: {
    0: "commits are reviewed, at the latest once a reviewer and a daemon are there",
    1: "something is missing that you have to mend; it is said",
  },
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
    const { isDeferred, ...registration } = await register(context, checkout, args);
    const chosen = await chosenReviewer(checkout, context.paths(), context.env);
    const { findings } = judgeGitHooks(await probeGitHooks(checkout, context.env));
    const report: InitReport = {
      repo: checkout.mainRoot,
      config,
      hooks,
      ...registration,
      missing: [
        ...findings.filter(blocksReviews).map(todo),
        ...(isDeferred ? [] : unregistered(registration)),
      ],
      advice: findings.filter((finding) => !blocksReviews(finding)).map(todo),
      ...("reviewer" in chosen ? chosen : { reviewer_problem: chosen.problem }),
    };
    if (flags.json) out.json(report);
    else out.print(initText(report, out));
    if (notice) out.note(notice);
    for (const note of initNotes(report, agent)) out.note(note);
    return report.missing.length === 0 ? ExitCode.done : ExitCode.failed;
  },
});

const todo = ({ code, message, repair }: Finding): Todo => ({
  ...{ code, message },
  ...(repair === undefined ? {} : { repair }),
});

const unregistered = ({ registered, problem = "" }: Registration): Todo[] =>
  registered
    ? []
    : [
        {
          code: "not-registered",
          message: `the daemon does not know the repository: ${problem}`,
          repair: "Then: roborev init",
        },
      ];

type Registration = Pick<InitReport, "registered" | "problem">;

/**
 * Makes the repository known to the daemon; that this fails is part of the report. Deferred: nobody wanted a daemon
 * started, and the next commit does that.
 */
async function register(
  context: Context,
  checkout: Checkout,
  args: { daemon: boolean; force: boolean },
): Promise<Registration & { isDeferred: boolean }> {
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
    return { registered: true, isDeferred: false };
  } catch (error) {
    const isDeferred = !args.daemon && error instanceof DaemonError && error.failure === "not-running";
    return { registered: false, isDeferred, problem: errorLine(error).replace(/^Error: /, "") };
  }
}
