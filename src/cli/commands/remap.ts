import { createDaemonClient } from "../../client/daemon.ts";
import { ensureDaemon } from "../../client/ensure.ts";
import { daemonSocketPath } from "../../client/socket-path.ts";
import { resolveCheckout } from "../../git/checkout.ts";
import { isRebaseUnfinished } from "../../git/state.ts";
import { errorMessage } from "../../lib/errors.ts";
import { createBudget } from "../budget.ts";
import { define } from "../command.ts";
import { logCommit } from "../commit-log.ts";
import { workingDirectory } from "../place.ts";
import { chunkMappings, parseRewritten } from "../rewritten.ts";
import { givenSocket } from "../server-address.ts";

export const remap = define({
  meta: {
    name: "remap",
    description:
      "Move reviews to the commits that replaced theirs: lines `old new` on standard input, as git gives them.",
  },
  args: {
    repo: { type: "string", valueHint: "path", description: "Repository (default: where you are)" },
    quiet: { type: "boolean", alias: "q", description: "Print nothing" },
  },
  silent: true,
  examples: ["roborev remap < rewritten.txt"],
  async run(context) {
    const { args, flags, env, out } = context;
    const directory = workingDirectory(context, args.repo);
    const paths = context.paths();
    const budget = createBudget(2500);
    try {
      const mappings = parseRewritten(await budget.within("no input", context.stdin.text()));
      const checkout = await budget.within("git did not answer", resolveCheckout(directory));
      if (checkout === undefined || mappings.length === 0) return 0;
      if (isRebaseUnfinished(checkout)) return 0; // git tells of all commits at its end, and of none if it is aborted
      const socket = givenSocket(flags.server, env);
      const starting = ensureDaemon({
        paths,
        client: createDaemonClient(socket ?? daemonSocketPath(paths.dataDir)),
        autostart: socket === undefined,
        mayRestart: false,
        startTimeoutMs: budget.leftMs(),
        env,
      });
      const client = await budget.within("the daemon was not ready", starting);
      const total = { remapped: 0, superseded: 0, skipped: 0 };
      for (const chunk of chunkMappings(mappings)) {
        const request = { repo_path: checkout.worktreeRoot, mappings: chunk };
        const answer = await client.remap(request, Math.max(1, budget.leftMs()));
        for (const key of ["remapped", "superseded", "skipped"] as const) total[key] += answer[key];
      }
      if (flags.json) out.json(total);
      else if (!args.quiet) {
        out.print(`Remapped ${total.remapped}, superseded ${total.superseded}, skipped ${total.skipped}`);
      }
    } catch (error) {
      await logCommit(paths, context.now(), {
        repo: directory,
        outcome: "fail",
        message: `remap: ${errorMessage(error)}`,
      });
    }
    return 0;
  },
});
