import { RoborevError, UsageError } from "../../lib/errors.ts";
import { selfCommand } from "../../lib/self.ts";
import { splitCommand } from "../../lib/shell-words.ts";
import { quotedLabel } from "../../lib/text.ts";
import { automaticReviewers, findReviewer, reviewerNames } from "./registry.ts";
import type { Reviewer } from "./reviewer.ts";

export interface Selection {
  /** The reviewer somebody chose, and where; absent when nobody did (as `resolveReviewSettings` gives it). */
  agent?: { value: string; origin: "request" | "repo" | "global" | "default" };
  /** Configured command lines (`<agent>_cmd`), by reviewer name. */
  commands: Readonly<Record<string, string | undefined>>;
  /** Absolute path of a program, or undefined when there is none; its real path matches `realPath`. */
  find(program: string, realPath?: RegExp): string | undefined;
}

export interface SelectedReviewer {
  reviewer: Reviewer;
  /** Program and leading arguments; the program by its absolute path. */
  command: string[];
  /** What was asked for, canonical; the reviewer's own name when nobody asked. */
  requested: string;
}

/**
 * The reviewer that runs. Another one than the chosen one never does: only when nobody chose is the first installed
 * one taken. Throws E_AGENT_UNKNOWN, E_AGENT_MISSING, E_AGENT_NONE, E_AGENT_REFUSED or E_AGENT_COMMAND.
 */
export function selectReviewer({ agent, commands, find }: Selection): SelectedReviewer {
  if (agent && agent.origin !== "default") return selectNamed(agent.value, agent.origin, commands, find);
  for (const reviewer of automaticReviewers()) {
    const command = commandOf(reviewer, commands, find);
    if (command) return { reviewer, command, requested: reviewer.name };
  }
  const programs = automaticReviewers().map((reviewer) => reviewer.command);
  throw new RoborevError(`no reviewer is installed (looked for ${programs.join(", ")})`, {
    code: "E_AGENT_NONE",
    hint: "Install one, or name its program in config.toml, for example claude_code_cmd.",
  });
}

/** A reviewer by the name a user wrote; throws a usage error that lists the names. */
export function requireReviewer(name: string): Reviewer {
  const reviewer = findReviewer(name);
  if (reviewer) return reviewer;
  throw new UsageError(`unknown reviewer ${quotedLabel(name) || '""'}`, {
    code: "E_AGENT_UNKNOWN",
    hint: `Choose one of: ${reviewerNames().join(", ")}.`,
  });
}

function selectNamed(
  name: string,
  origin: "request" | "repo" | "global",
  commands: Selection["commands"],
  find: Selection["find"],
): SelectedReviewer {
  const reviewer = requireReviewer(name);
  if (reviewer.builtIn && origin === "repo") {
    throw new RoborevError(`${reviewer.name} cannot be chosen by a repository`, {
      code: "E_AGENT_REFUSED",
      hint: `It finds no real problems. Use --agent ${reviewer.name}, or default_agent in config.toml.`,
    });
  }
  const command = commandOf(reviewer, commands, find);
  if (command) return { reviewer, command, requested: reviewer.name };
  throw new RoborevError(
    `reviewer ${reviewer.name} is not installed: ${wanted(reviewer, commands)} was not found`,
    {
      code: "E_AGENT_MISSING",
      hint: `Install it, set ${commandKey(reviewer)} in config.toml, or choose another with --agent or default_agent.`,
    },
  );
}

const commandKey = (reviewer: Reviewer): string => `${reviewer.name.replaceAll("-", "_")}_cmd`;

function wanted(reviewer: Reviewer, commands: Selection["commands"]): string {
  return configuredWords(reviewer, commands)?.[0] ?? reviewer.command;
}

function commandOf(
  reviewer: Reviewer,
  commands: Selection["commands"],
  find: Selection["find"],
): string[] | undefined {
  if (reviewer.builtIn) return [...selfCommand(), ...reviewer.builtIn];
  const [program, ...rest] = configuredWords(reviewer, commands) ?? [];
  const path = program === undefined ? findOwn(reviewer, find) : find(program);
  return path === undefined ? undefined : [path, ...rest];
}

function findOwn({ command, sharedCommand }: Reviewer, find: Selection["find"]): string | undefined {
  return find(command) ?? (sharedCommand && find(sharedCommand.name, sharedCommand.pattern));
}

function configuredWords(reviewer: Reviewer, commands: Selection["commands"]): string[] | undefined {
  const line = commands[reviewer.name]?.trim();
  if (!line) return undefined;
  const split = splitCommand(line);
  if ("words" in split && split.words.length > 0) return split.words;
  throw new RoborevError(`${commandKey(reviewer)} is not one plain command`, {
    code: "E_AGENT_COMMAND",
    hint: "Give a program and its arguments; shell operators are not understood.",
  });
}
