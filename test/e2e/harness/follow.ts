import { stringsWith } from "../wire/request.ts";
import type { ModelRequest, Step } from "./model.ts";

// A model that takes a text at its word: it runs the commands that stand there, as they stand there, with what the text
// says that is to be filled in.

/** The commands that a reminder names between its words. */
export const commandsInReminder = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)]
    .map(([, span = ""]) => span)
    .filter((span) => /(?:^|[/'"])roborev['"]? /.test(span));

/** The commands in the blocks of a skill, with the text that is given to them. */
export const commandsInSkill = (text: string): string[] =>
  [...text.matchAll(/^```\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    [...block.matchAll(/^roborev [^\n]*<<'EOF'\n.*?^EOF$|^roborev [^\n]*$/gms)].map(([command]) => command),
  );

/** What a command does, without its options: `agent-hook fix-done`. */
export const nameOf = (command: string): string =>
  /roborev['"]? ((?:agent-hook |skills )?[a-z-]+)/.exec(command)?.[1] ?? command;

/** What the model itself says, where the texts ask for it. */
export interface Words {
  /** Between double quotes. */
  summary: string;
  /** On lines of their own. */
  account: string;
}

/** The newest text of a request that has this in it; empty where nothing has. */
export const newestText = (body: unknown, mark: string): string => stringsWith(body, mark).at(-1) ?? "";

/** One command after the other for each job, with a commit before the first that records something; then the last. */
export function workOff(
  ids: readonly number[],
  commands: readonly string[],
  last: string,
  { words, commit }: { words: Words; commit: (request: string) => string },
): Step[] {
  const forJob = (id: number): Step[] => {
    const steps = commands.map(
      (command): Step =>
        (request) => ({ shell: filled(command, id, request, words) }),
    );
    const reads = commands.filter((command) => nameOf(command) === "show").length;
    const commits: Step = (request) => ({ shell: commit(request) });
    return [...steps.slice(0, reads), commits, ...steps.slice(reads)];
  };
  return [...ids.flatMap(forJob), { shell: last }];
}

function filled(command: string, id: number, request: string, { summary, account }: Words): string {
  const commit = [...request.matchAll(/\[main ([0-9a-f]{7,})\]/g)].at(-1)?.[1] ?? "no commit";
  return command
    .replace(/\b(?:ID|N)\b/, String(id))
    .replace(/\bSUMMARY\b/, () => summary)
    .replace(/\bCOMMIT\b/, commit)
    .replace(/(<<'EOF'\n).*(\nEOF)$/s, (_, start: string, end: string) => `${start}${account}${end}`);
}

/** What the model says when it has nothing left to do. */
export const followed = "FOLLOWED";

/** Goes through steps that are found out when the first of them is to be taken, and then ends its turn. */
export function thenSteps(find: (request: string, body: ModelRequest["body"]) => Step[]): Step[] {
  let steps: Step[] | undefined;
  const next: Step = async (request, body) => {
    steps ??= find(request, body);
    const step = steps.shift() ?? { text: followed };
    return typeof step === "function" ? await step(request, body) : step;
  };
  return Array<Step>(40).fill(next);
}
