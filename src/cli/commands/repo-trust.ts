import type { ReviewHook } from "../../config/hooks-schema.ts";
import type { RepoHooksResponse } from "../../daemon/api/responses.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { plural, quotedLine, singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { requireCheckout, workingDirectory } from "../place.ts";
import { refuseInReviewer } from "./review.ts";

export const repoTrust = define({
  meta: {
    name: "trust",
    description: "Allow the review hooks in this repository's .roborev.toml to run on this machine.",
  },
  args: {
    repo: { type: "string", valueHint: "path", description: "Repository (default: the current one)" },
    yes: { type: "boolean", description: "Do not ask" },
    revoke: { type: "boolean", description: "Allow none of them any more" },
  },
  exclusive: [{ names: ["yes", "revoke"] }],
  details: `Shows what would run, then asks. Trust holds for exactly these hooks: once anything about them changes in the
    file, none of them runs until they are trusted again. Scripts of the repository that a hook calls may change without that.

    Hooks in your own config.toml need no trust.`,
  examples: ["roborev repo trust", "roborev repo trust --yes", "roborev repo trust --revoke"],
  async run(context) {
    const { args, env, flags, out } = context;
    refuseInReviewer(env, "decide what is trusted");
    const directory = workingDirectory(context, args.repo);
    const checkout = await requireCheckout(
      directory,
      (child) => `roborev repo trust --repo ${shellWord(`${args.repo ?? "."}/${child}`)}`,
    );
    const client = await connect(context);
    const report = (trusted: boolean, text: string, hooks: ReviewHook[] = []) => {
      if (flags.json) out.json({ repo: checkout.mainRoot, trusted, hooks });
      else out.print(text);
      return 0;
    };
    if (args.revoke) {
      const { changed } = await client.trustHooks({ repo_path: checkout.worktreeRoot });
      return report(false, changed ? "No hook of this repository is trusted any more." : "None was trusted.");
    }
    const found = await client.repoHooks(checkout.worktreeRoot);
    const { digest, file, hooks, problems, trusted } = found;
    for (const line of problems) out.note(`Warning: ${singleLine(line)}`);
    if (digest === undefined) return report(false, `There are no hooks in ${singleLine(file)}.`);
    if (hooks.length === 0)
      throw new RoborevError(`no hook in ${file} can be run`, {
        code: "E_CONFIG",
        hint: "Correct the file.",
      });
    if (!flags.json) out.print(listing(found));
    if (trusted) return report(true, "They are trusted already.", hooks);
    const isSure = args.yes || context.confirm("Let them run?");
    if (isSure === undefined) throw new UsageError("nobody can be asked", { hint: "Confirm it with --yes." });
    if (!isSure) return report(false, "Nothing was changed.", hooks);
    await client.trustHooks({ repo_path: checkout.worktreeRoot, digest });
    return report(true, "Trusted, until they change.", hooks);
  },
});

/** Commands as TOML would quote them, so that nothing in them can hide. */
function listing({ file, hooks }: RepoHooksResponse): string {
  const lines = hooks.map(({ event, branches, command, url }, index) => {
    const where = branches === undefined ? "" : ` on ${branches.map(quotedLine).join(", ")}`;
    const what =
      command === undefined ? `sends it to ${quotedLine(url ?? "")}` : `runs ${quotedLine(command)}`;
    return `  ${index + 1}. ${event}${where}: ${what}`;
  });
  return [`${plural(hooks.length, "hook")} in ${singleLine(file)}:`, ...lines].join("\n");
}
