import { uninstallGitHooks } from "../../git/hooks/uninstall.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { hookLines, hookNotes } from "../init-text.ts";
import { errorLine } from "../output.ts";
import { requireCheckout } from "../place.ts";

const texts = {
  deleted: "The repository is forgotten",
  deactivated: "Its reviews are kept, nobody is reminded of them",
  unknown: "The daemon did not know the repository",
};

export const uninit = define({
  meta: {
    name: "uninit",
    description:
      "Undo init: git hooks become what they were, and the daemon leaves the repository alone. Reviews are kept.",
  },
  args: {
    purge: { type: "boolean", description: "Delete the repository's reviews, too" },
    yes: { type: "boolean", description: "Do not ask before deleting" },
  },
  examples: ["roborev uninit", "roborev uninit --purge --yes"],
  async run(context) {
    const { args, flags, out } = context;
    const checkout = await requireCheckout(
      context.cwd(),
      (child) => `cd ${shellWord(child)} && roborev uninit`,
    );
    if (args.purge && !args.yes) {
      const sure = context.confirm(`Delete every review of ${singleLine(checkout.mainRoot)}?`);
      if (sure === undefined)
        throw new UsageError("--purge deletes reviews", { hint: "Confirm it with --yes." });
      if (!sure) {
        out.note("Nothing was changed.");
        return 0;
      }
    }
    const hooks = await uninstallGitHooks(checkout);
    for (const note of hookNotes(hooks)) out.note(note);
    const outcome = await unregister();
    const touched = outcome !== "unknown" || hooks.some(({ result }) => result !== "absent");
    if (flags.json) out.json({ repo: checkout.mainRoot, hooks, outcome });
    else if (!touched) out.print("This repository was not set up, nothing was changed.");
    else out.print([...hookLines(hooks), texts[outcome]].join("\n"));
    return 0;

    async function unregister() {
      try {
        const client = await connect(context);
        const request = { repo_path: checkout.worktreeRoot, ...(args.purge ? { purge: true } : {}) };
        return (await client.unregisterRepo(request)).outcome;
      } catch (cause) {
        throw new RoborevError(
          `the git hooks are removed, but the daemon still knows the repository: ${errorLine(cause).replace(/^Error: /, "")}`,
          { code: "E_UNREGISTER", hint: "Run roborev uninit again.", cause },
        );
      }
    }
  },
});
