import { join } from "node:path";
import { homeOf } from "../lib/config-directory.ts";
import { UsageError } from "../lib/errors.ts";
import { splitCommand } from "../lib/shell-words.ts";
import { type HookCommand, ownershipMarker } from "./command.ts";
import type { Probe } from "./detect.ts";
import { ambiguousExpansion, namesOneProgram } from "./expansion.ts";
import { firstWord } from "./guard.ts";
import type { Environment } from "./options.ts";

/** The command that `--command` gives, checked and marked as ours; its own text is what gets registered. */
export function customCommand(
  text: string,
  agent: string,
  known: readonly string[],
  env: Environment,
  probe: Probe,
): HookCommand {
  const split = splitCommand(text);
  if ("error" in split) throw rejected(split.error);
  const expansion = ambiguousExpansion(text.trim());
  if (expansion !== undefined) {
    throw rejected(`hook command contains unsupported shell expansion ${expansion}`);
  }
  const [program = "", group, verb, ...rest] = split.words;
  if (group !== "agent-hook" || verb !== "run") throw rejected("hook command must invoke agent-hook run");
  if (!namesOneProgram(firstWord(text.trim()))) {
    throw rejected(`hook command must name its program, and ${program} may stand for something else`);
  }
  if (!looksLikeUs(program, env, probe)) {
    throw rejected(
      `hook command must invoke agent-hook run of roborev, and ${program || '""'} is not roborev`,
    );
  }
  const selected = selectedAgent(rest);
  if (!known.includes(selected)) {
    throw rejected(`unsupported agent hook integration ${JSON.stringify(selected)}`);
  }
  if (selected !== agent) throw rejected(`hook command selects ${selected}, not ${agent}`);
  const marked = split.words.includes(ownershipMarker);
  return { text: marked ? text.trim() : `${text.trim()} ${ownershipMarker}` };
}

function selectedAgent(words: readonly string[]): string {
  const selectors: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--") throw rejected("hook command must not contain an argument terminator");
    if (word !== "--agent" && !word.startsWith("--agent=")) continue;
    const value = word === "--agent" ? words[++at] : word.slice("--agent=".length);
    if (!value || (word === "--agent" && value.startsWith("--"))) throw rejected("--agent requires a value");
    selectors.push(value.trim().toLowerCase());
  }
  const [only] = selectors;
  if (only === undefined) throw rejected("hook command must select an agent");
  if (selectors.length > 1) throw rejected("hook command must select exactly one agent");
  return only;
}

/** A program of our name, or the path of some executable: a shim may be called anything, `echo` is none. */
function looksLikeUs(program: string, env: Environment, probe: Probe): boolean {
  const name = program.split(/[/\\]/).at(-1) ?? "";
  if (/roborev/i.test(name)) return true;
  const path = program.startsWith("~/") ? join(homeOf(env), program.slice(2)) : program;
  return path.startsWith("/") && probe.isExecutable(path);
}

const rejected = (why: string) =>
  new UsageError(why, {
    code: "E_COMMAND",
    hint: "Give one plain command, like: /path/to/roborev agent-hook run --agent NAME",
  });
