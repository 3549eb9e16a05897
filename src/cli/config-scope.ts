import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { type ConfigKey, configKeys, findKey } from "../config/keys.ts";
import { nearest, reasonWithoutEffect, type Scope } from "../config/refused.ts";
import { RoborevError, UsageError } from "../lib/errors.ts";
import { shellWord } from "../lib/shell-word.ts";
import { singleLine } from "../lib/text.ts";
import { typed } from "./arguments.ts";
import type { World } from "./command.ts";
import { requireCheckout } from "./place.ts";

/** `--global`: the user's file; `--local`: that of the working tree. */
export type FileScope = "global" | "local";

export const scopeArgs = {
  global: { type: "boolean", description: "Only your own configuration" },
  local: { type: "boolean", description: "Only this repository's .roborev.toml" },
} as const;

export const scopePair = { names: ["global", "local"] } as const;

export const givenScope = (args: { global: boolean; local: boolean }): FileScope | undefined =>
  args.global ? "global" : args.local ? "local" : undefined;

export const schemaScope = (scope: FileScope): Scope => (scope === "global" ? "global" : "repo");

/** The setting of this name; a usage error with the nearest one for a name that is none. */
export function requireKey(name: string): ConfigKey {
  const key = findKey(name);
  if (key) return key;
  const [top = ""] = name.split(".");
  const ignored = reasonWithoutEffect(top, "global");
  if (ignored?.isNote) throw new UsageError(`${typed(name)} ${ignored.reason}`, { code: "E_KEY" });
  const member = configKeys.find(({ path }) => path.length > 1 && path[0] === name);
  if (member) {
    const hint = `Name one of its settings, like ${member.name}.`;
    throw new UsageError(`${member.path[0]} is a table of settings`, { code: "E_KEY", hint });
  }
  const names = configKeys.map((key) => key.name);
  const near = nearest(name, names);
  throw new UsageError(`unknown setting ${typed(name) || '""'}`, {
    code: "E_KEY",
    hint: near ? `Did you mean ${near}?` : "roborev help config lists all of them.",
  });
}

/** Rejects a setting that has no place in a file, with the reason and what to do instead. */
export function requireScope(key: ConfigKey, scope: FileScope, verb: "get" | "set"): void {
  if (key.rules[schemaScope(scope)]) return;
  const [top = ""] = key.path;
  const reason = reasonWithoutEffect(top, schemaScope(scope))?.reason ?? "has no effect here";
  const other = scope === "global" ? "--local" : "--global";
  throw new UsageError(`${key.name} ${reason}`, {
    code: "E_SCOPE",
    hint: `Use roborev config ${verb} ${other} ${key.name}.`,
  });
}

/** Path of the file; a repository's is that of the working tree, wherever in it the command is called. */
export async function scopedFile(
  world: Pick<World, "cwd">,
  scope: FileScope,
  config: string,
): Promise<string> {
  if (scope === "global") return config;
  const { worktreeRoot } = await requireCheckout(world.cwd(), (child) => `cd ${shellWord(child)}`);
  const path = join(worktreeRoot, ".roborev.toml");
  const [root, target] = await Promise.all([realpath(worktreeRoot), realpath(path).catch(() => path)]);
  // Whoever wrote the repository does not choose which of the user's files is changed.
  if (target !== path && !target.startsWith(root + sep)) {
    throw new RoborevError(`${singleLine(path)} is a link to a file outside of the repository`, {
      code: "E_LINK",
      hint: "Put a file of its own there.",
    });
  }
  return path;
}
