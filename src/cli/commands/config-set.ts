import { canonicalAgent } from "../../config/agent-name.ts";
import { type ConfigKey, findKey } from "../../config/keys.ts";
import { type ConfigValue, maskedValue } from "../../config/masked.ts";
import { checkConfig, testReviewerRefusal } from "../../config/parse.ts";
import { isTableList } from "../../config/rule.ts";
import { parseValue } from "../../config/value.ts";
import { writeConfig } from "../../config/write.ts";
import type { TomlEdit } from "../../edit/toml.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { redactSecrets } from "../../lib/redact.ts";
import { singleLine } from "../../lib/text.ts";
import { define, type World } from "../command.ts";
import { guardNote } from "../config-guard.ts";
import {
  type FileScope,
  givenScope,
  requireKey,
  requireScope,
  schemaScope,
  scopedFile,
} from "../config-scope.ts";
import { cutLiteral } from "../config-text.ts";

export const configSet = define({
  meta: {
    name: "set",
    description: "Change one setting in a file, and nothing else there: comments, order and quotes stay.",
  },
  args: {
    key: { type: "positional", description: "Name of the setting, like max_workers or agent_hook.enabled" },
    value: { type: "positional", required: false, description: "New value; - reads it from standard input" },
    global: { type: "boolean", description: "In your own configuration" },
    local: { type: "boolean", description: "In this repository's .roborev.toml (default)" },
    unset: { type: "boolean", description: "Remove the setting, so that its default holds" },
  },
  exclusive: [{ names: ["global", "local"] }, { names: ["unset", "value"] }],
  details: `Values: true or false, a whole number, a list as a,b or ["a", "b"], else a text. An empty one removes the
    setting. Give texts of several lines, and secrets, on standard input: arguments end up in the shell's history.

    What this version does not know, does not take, or does not let a repository decide is refused. Takes effect
    without a restart, except where it says so.`,
  examples: [
    "roborev config set --global default_agent claude-code",
    "roborev config set exclude_patterns 'vendor,*.lock'",
    "roborev config set --global anthropic_api_key - < key.txt",
    "roborev config set --unset review_min_severity",
  ],
  async run(context) {
    const { args, flags, out } = context;
    const scope = givenScope(args) ?? "local";
    const edit = args.unset ? unsetOf(args.key) : await setOf(context, scope, args.key, args.value);
    const { config, configLock: lock } = context.paths();
    const file = await scopedFile(context, scope, config).catch((error) => {
      throw givenScope(args) === undefined ? orGlobal(error, args.key) : error;
    });
    const { outcome, text } = await writeConfig({
      path: file,
      lock,
      edit,
      mode: scope === "global" ? 0o600 : 0o644,
    });
    const isSame = outcome === "unchanged";
    if (isSame && args.unset) requireKey(args.key);
    const name = edit.path.join(".");
    const value = edit.kind === "set" ? maskedValue(name, edit.value) : null;
    if (flags.json) out.json({ key: name, value, file, outcome });
    else out.print(sentence(name, value, file, isSame));
    const notes = [
      ...checkConfig(text, file, schemaScope(scope)).problems.map((line) => `Warning: ${line}`),
      ...(findKey(name)?.about.needsRestart && !isSame ? [restartNote] : []),
      ...(scope === "local" ? await guardNote(context.cwd(), name) : []),
    ];
    for (const line of notes) out.note(singleLine(redactSecrets(line)));
    return 0;
  },
});

const restartNote = "It takes effect with the next start of the daemon: roborev daemon restart";

/** Outside of a repository the other file is what was meant. */
function orGlobal(error: unknown, name: string): unknown {
  if (!(error instanceof RoborevError) || error.code !== "E_NOT_A_REPO" || !findKey(name)?.rules.global)
    return error;
  const hint = `For your own configuration: roborev config set --global ${name}`;
  return new RoborevError(error.message, { code: error.code, hint });
}

/** Whatever stands in the file can be taken out of it, also what should not be there. */
const unsetOf = (name: string): TomlEdit => ({ kind: "unset", path: findKey(name)?.path ?? name.split(".") });

async function setOf(
  { stdin }: Pick<World, "stdin">,
  scope: FileScope,
  name: string,
  given: string | undefined,
): Promise<TomlEdit> {
  const key = requireKey(name);
  refuseTables(key);
  requireScope(key, scope, "set");
  if (given === undefined) throw new UsageError("<value> is missing");
  const text = given === "-" ? (await stdin.text()).replace(/\r?\n$/, "") : given;
  const value = parseValue(key, schemaScope(scope), text);
  if (value === undefined) return { kind: "unset", path: key.path };
  await requireAgent(key, scope, value);
  return { kind: "set", path: key.path, value };
}

function refuseTables({ name, path, rules }: ConfigKey): void {
  if (!Object.values(rules).some(isTableList)) return;
  throw new UsageError(`${name} is a list of tables, which is no value of one line`, {
    code: "E_VALUE",
    hint: `Write [[${path.join(".")}]] into the file.`,
  });
}

/** A reviewer that this version does not have would fail every review. */
async function requireAgent(key: ConfigKey, scope: FileScope, value: ConfigValue): Promise<void> {
  if (!key.rules[schemaScope(scope)]?.isAgent || typeof value !== "string") return;
  const { requireReviewer } = await import("../../review/agents/select.ts");
  requireReviewer(value);
  const isBackup = key.name.endsWith("backup_agent");
  if (canonicalAgent(value) === "test" && (isBackup || scope === "local"))
    throw new UsageError(`${key.name} ${testReviewerRefusal(isBackup)}`, { code: "E_VALUE" });
}

function sentence(name: string, value: ConfigValue | null, file: string, isSame: boolean): string {
  const [what, where] = [singleLine(name), singleLine(file)];
  if (value === null) return `${what} is ${isSame ? "not" : "no longer"} set in ${where}`;
  return `${what} is ${isSame ? "already" : "now"} ${cutLiteral(value)} in ${where}`;
}
