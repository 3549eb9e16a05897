import { findCheckout } from "../../git/checkout.ts";
import { plural } from "../../lib/text.ts";
import { type Context, define } from "../command.ts";
import { type FileResult, validateFile } from "../config-check.ts";
import { type FileScope, givenScope, scopeArgs, scopePair } from "../config-scope.ts";

export const configValidate = define({
  meta: {
    name: "validate",
    description: "Check your configuration and this repository's for everything that is wrong with them.",
  },
  args: scopeArgs,
  exclusive: [scopePair],
  details: `Wrong values, unknown settings, settings in the wrong file, reviewers that do not exist, programs that are not
    there. One line each, with file, line and column. A setting that means nothing to this version is mentioned, and
    is no problem. Starts no daemon.`,
  exitCodes: { 0: "Nothing is wrong", 1: "Something is" },
  examples: ["roborev config validate", "roborev config validate --local --json"],
  async run(context) {
    const { args, flags, out } = context;
    const results: FileResult[] = [];
    for (const scope of await scopesOf(context, givenScope(args)))
      results.push(await validateFile(context, scope));
    const count = results.reduce((sum, { problems }) => sum + problems.length, 0);
    if (flags.json) out.json({ valid: count === 0, files: results });
    else {
      for (const { file, exists, problems, notes } of results) {
        for (const line of problems) out.print(line);
        for (const line of notes) out.note(`Note: ${line}`);
        if (!exists) out.print(`${file}: no such file, defaults hold`);
        else if (problems.length === 0) out.print(`${file}: nothing is wrong`);
      }
      if (count > 0) out.note(`${plural(count, "problem")} found.`);
    }
    return count === 0 ? 0 : 1;
  },
});

async function scopesOf(context: Context, given: FileScope | undefined): Promise<FileScope[]> {
  if (given) return [given];
  return (await findCheckout(context.cwd())) ? ["global", "local"] : ["global"];
}
