import { redactSecrets } from "../../lib/redact.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { readRows } from "../config-rows.ts";
import { givenScope, scopeArgs, scopePair } from "../config-scope.ts";
import { configText } from "../config-text.ts";

export const configList = define({
  meta: {
    name: "list",
    description:
      "List every setting that has a value here: your configuration, this repository's, and defaults.",
  },
  args: {
    "show-origin": { type: "boolean", description: "Say in front of each where it comes from" },
    ...scopeArgs,
  },
  exclusive: [scopePair],
  details: `Origins are a file, a variable of the environment, or default. What a branch must not choose for its own
    review comes from the default branch's .roborev.toml, shown as main:.roborev.toml. Where both files add to a list or a text,
    the key has a line for each. Secrets are masked. Variables are those of this shell; a coding agent may have others.

    With --global or --local: what that file sets, whatever decides. Review hooks of a repository are not listed:
    roborev repo trust shows them.

    Starts no daemon. Flags of a command win over everything that is listed.`,
  examples: ["roborev config list", "roborev config list --show-origin", "roborev config list --json"],
  async run(context) {
    const { args, flags, out } = context;
    const place = { ...context, config: context.paths().config };
    const { rows, warnings } = await readRows(place, givenScope(args));
    for (const line of warnings) out.note(`Warning: ${singleLine(redactSecrets(line))}`);
    if (flags.json) {
      out.json(rows);
      return 0;
    }
    const { lines, isCut } = configText(rows, { showOrigin: args["show-origin"] });
    if (lines.length > 0) out.print(lines.join("\n"));
    if (isCut) out.note("Values that end in … are cut. See them whole with: roborev config list --json");
    return 0;
  },
});
