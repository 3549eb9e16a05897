import type { ConfigKey } from "../../config/keys.ts";
import type { ConfigValue } from "../../config/masked.ts";
import { RoborevError } from "../../lib/errors.ts";
import { redactSecrets } from "../../lib/redact.ts";
import { safeMultiline, singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import { readRows } from "../config-rows.ts";
import { givenScope, requireKey, requireScope, scopeArgs, scopePair } from "../config-scope.ts";
import { literal } from "../config-text.ts";

export const configGet = define({
  meta: { name: "get", description: "Print one setting as it holds here, by itself." },
  args: {
    key: { type: "positional", description: "Name of the setting, like max_workers or agent_hook.enabled" },
    ...scopeArgs,
  },
  exclusive: [scopePair],
  details: `Where both files add to a list or a text, all of it is printed, yours first. A list is printed as TOML writes
    it, a text as it is. Secrets are masked, with every flag: what a command prints ends up in transcripts, and coding
    agents run commands. The file itself has them.

    Starts no daemon.`,
  exitCodes: { 1: "The setting has no value here, or a file is broken" },
  examples: [
    "roborev config get default_agent",
    "roborev config get --local exclude_patterns",
    "roborev config get agent_hook.turn_threshold --json",
  ],
  async run(context) {
    const { args, flags, out } = context;
    const key = requireKey(args.key);
    const scope = givenScope(args);
    if (scope) requireScope(key, scope, "get");
    const { rows, warnings } = await readRows({ ...context, config: context.paths().config }, scope);
    const own = rows.filter((row) => row.key === key.name);
    for (const line of warnings.filter((line) => isAbout(line, key)))
      out.note(`Warning: ${singleLine(redactSecrets(line))}`);
    if (own.length === 0) throw notSet(key, scope !== undefined);
    const value = joined(own.map((row) => row.value));
    if (flags.json) out.json({ key: key.name, value, origins: own.map(({ origin }) => origin) });
    else out.print(typeof value === "string" ? safeMultiline(value) : literal(value));
    return 0;
  },
});

const isAbout = (line: string, { name, path }: ConfigKey): boolean =>
  line.includes(`\`${name}\``) || (path.length > 1 && line.includes(`[${path[0]}] ${path.at(-1)} `));

/** Of a setting that both files add to. */
function joined(values: ConfigValue[]): ConfigValue {
  const [first, ...others] = values as [ConfigValue, ...ConfigValue[]];
  if (others.length === 0) return first;
  return Array.isArray(first) ? [...new Set(values.flat() as string[])] : values.join("\n\n");
}

function notSet({ name, about }: ConfigKey, oneFile: boolean): RoborevError {
  const instead = !oneFile && about.unset ? `, which means: ${about.unset}` : "";
  return new RoborevError(`${name} is not set${oneFile ? " there" : " here"}${instead}`, { code: "E_UNSET" });
}
