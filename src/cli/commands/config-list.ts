import { loadGlobalConfig } from "../../config/load.ts";
import { type ConfigLayers, configRows } from "../../config/origins.ts";
import type { RepoConfig } from "../../config/schema.ts";
import { findCheckout } from "../../git/checkout.ts";
import { redactSecrets } from "../../lib/redact.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { configText } from "../config-text.ts";

export const configList = define({
  meta: {
    name: "list",
    description:
      "List every setting that has a value here: your configuration, this repository's, and defaults.",
  },
  args: {
    "show-origin": { type: "boolean", description: "Say in front of each where it comes from" },
  },
  details: `Origins are a file, a variable of the environment, or default. What a branch must not choose for its own
    review comes from the default branch's .roborev.toml, shown as main:.roborev.toml. Where both files add to a list or a text,
    the key has a line for each. Secrets are masked. Variables are those of this shell; a coding agent may have others.

    Starts no daemon. Flags of a command win over everything that is listed.`,
  examples: ["roborev config list", "roborev config list --show-origin", "roborev config list --json"],
  async run(context) {
    const { args, env, flags, out } = context;
    const global = await loadGlobalConfig(context.paths().config);
    const warnings = [...global.warnings];
    const repo = await readRepo(context.cwd(), (line) => warnings.push(line));
    const { rows, diagnostics } = configRows({
      env,
      global: { file: global.path, config: global.config },
      ...(repo === undefined ? {} : { repo }),
    });
    for (const line of [...warnings, ...diagnostics]) out.note(`Warning: ${singleLine(redactSecrets(line))}`);
    if (flags.json) {
      out.json(rows);
      return 0;
    }
    const { lines, isCut } = configText(rows, { showOrigin: args["show-origin"] });
    out.print(lines.join("\n"));
    if (isCut) out.note("Values that end in … are cut. See them whole with: roborev config list --json");
    return 0;
  },
});

/** What a review of a commit here reads of the repository; undefined outside of one. */
async function readRepo(
  directory: string,
  onWarning: (line: string) => void,
): Promise<ConfigLayers["repo"] | undefined> {
  const checkout = await findCheckout(directory);
  if (!checkout) return undefined;
  const { decidingCopy, mergedConfig, readRepoCopies } = await import("../../review/repo-config.ts");
  const copies = await readRepoCopies(checkout, { dirty: false, onWarning });
  for (const key of Object.keys(copies.own.config) as (keyof RepoConfig)[]) {
    const { file, config } = decidingCopy(key, copies);
    if (!Bun.deepEquals(config[key], copies.own.config[key]))
      onWarning(`${copies.own.file}: \`${key}\` has no effect: ${file} decides`);
  }
  return { config: mergedConfig(copies), fileOf: (key) => decidingCopy(key, copies).file };
}
