import { expect, test } from "bun:test";
import { parseArguments } from "../../src/cli/arguments.ts";
import type { Group } from "../../src/cli/node.ts";
import { root } from "../../src/cli/tree.ts";
import { splitCommand } from "../../src/lib/shell-words.ts";
import { fixSkill, type Skill, skills } from "../../src/skills/catalogue.ts";
import { skillFiles } from "../../src/skills/files.ts";
import { type SkillProgram, skillPrograms } from "../../src/skills/programs.ts";

const textOf = (skill: Skill, program: SkillProgram) => skillFiles(skill, program)[0]?.text ?? "";

/** Each command of ours in a text, as words. */
function commandsOf(text: string): string[][] {
  const lines = [...text.matchAll(/^ *(roborev [^\n]*)$/gm)].map((match) => match[1] as string);
  const inline = [...text.matchAll(/`(roborev [^`\n]*)`/g)].map((match) => match[1] as string);
  return [...lines.filter((line) => !line.includes("`")), ...inline].map((command) =>
    wordsOf(command.replace(/ <<'EOF'$/, "")).slice(1),
  );
}

function wordsOf(command: string): string[] {
  const split = splitCommand(command);
  if ("error" in split) throw new Error(`${command}: ${split.error}`);
  return split.words;
}

/** Throws where the command line would. */
async function check(words: string[]): Promise<string> {
  let group: Group = root;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const node = group.commands.get(group.aliases.get(word) ?? word);
    if (node === undefined) throw new Error(`there is no command roborev ${words.join(" ")}`);
    if (node.kind === "group") group = node;
    else {
      parseArguments(await node.load(), words.slice(at + 1));
      return words.slice(0, at + 1).join(" ");
    }
  }
  throw new Error(`roborev ${words.join(" ")} is a group`);
}

test("every command in every skill exists and takes the arguments that it is given", async () => {
  const used = new Set<string>();
  for (const text of skills.flatMap((skill) =>
    Object.values(skillPrograms).map((program) => textOf(skill, program)),
  )) {
    for (const words of commandsOf(text)) {
      // What stands for a value of the user's.
      const filled = words.map((word) => (word === "N" ? "12" : word));
      used.add(await check(filled));
    }
  }
  expect([...used].sort()).toEqual([
    "close",
    "comment",
    "fix",
    "list",
    "refine",
    "review",
    "show",
    "snooze",
    "wait",
  ]);
});

test("roborev-fix names the commands of the workflow, in their order", () => {
  const commands = commandsOf(textOf(fixSkill, skillPrograms.claude!)).map((words) => words.join(" "));
  expect(commands).toEqual([
    "fix --open --list",
    "show --job N --json",
    "comment --commenter roborev-fix --job N --finding 1,3 --fixed -m In COMMIT",
    "comment --commenter roborev-fix --job N --finding 2 --refuted",
    "comment --commenter roborev-fix --job N --finding 4 --deferred",
    "comment --commenter roborev-fix --job N",
    "close N",
  ]);
});
