import type { Skill } from "./catalogue.ts";
import type { SkillProgram } from "./programs.ts";
import { sealed, sealSlot } from "./seal.ts";

export interface SkillFile {
  /** Below the directory of the skill. */
  path: string;
  text: string;
}

/** Passages that several skills share. */
const passages: Readonly<Record<string, string>> = {
  outcome: `The number of the job is printed at once, the review when there is one. An exit status of 1 means that the review failed.
If the command was cut short, take the number, here N, and go on from there:

\`\`\`
roborev wait --job N
roborev show --job N
\`\`\`

Present the verdict first, then every finding with its severity, file and line, the most severe first. Leave none out and
add none. If the review could not be made, say why: that is no pass.`,
  sandbox: `If roborev cannot reach its daemon because something is "not permitted" or "permission denied", your sandbox is in the
way: ask to run the same command outside of it. Do not restart the daemon.`,
};

/** A skill as this program reads it. */
export function skillFiles({ name, explicit, text }: Skill, program: SkillProgram): SkillFile[] {
  const end = text.indexOf("\n---\n", 1);
  const front = text.slice(0, end);
  const body = text.slice(end).replace(/( *)\{\{([a-z-]+)\}\}/g, (_, indent: string, word: string) => {
    const passage = passageOf(word, program);
    return `${indent}${passage.replaceAll("\n", `\n${indent}`)}`;
  });
  const unasked = explicit && program.explicitBy === "description" ? " Only when the user asks for it." : "";
  const closed = explicit && program.explicitBy === "front-matter" ? "\ndisable-model-invocation: true" : "";
  const skill = {
    path: "SKILL.md",
    text: sealed(`${front}${unasked}${closed}\nmetadata:\n  ${sealSlot}${body}`),
  };
  if (!explicit || program.explicitBy !== "openai-yaml") return [skill];
  const policy = `# Of the skill ${name}; ${sealSlot}\npolicy:\n  allow_implicit_invocation: false\n`;
  return [skill, { path: "agents/openai.yaml", text: sealed(policy) }];
}

function passageOf(word: string, { background, sigil }: SkillProgram): string {
  if (word === "background") return background;
  const passage = passages[word];
  if (passage !== undefined) return passage;
  if (!word.startsWith("roborev-")) throw new Error(`a skill has no passage ${word}`);
  return `${sigil}${word}`;
}
