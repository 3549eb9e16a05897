/** How a program finds skills, lets the user call one, and keeps one from being used unasked. */
export interface SkillProgram {
  /** Below the program's configuration directory. */
  directory: string;
  /** What the user types before the name of a skill. */
  sigil: "/" | "$";
  /**
   * What keeps the model from using a skill by itself: a line of the front matter, Codex's file beside it, or, where
   * nothing is documented, only the description.
   */
  explicitBy: "front-matter" | "openai-yaml" | "description";
  /** How a command that takes minutes is run. */
  background: string;
}

const minutes = `It can take several minutes. If your shell tool can run a command in the background and tell you when it has ended, use
that, and go on meanwhile. Otherwise give the command a time limit of ten minutes.`;

const usual: SkillProgram = {
  directory: "skills",
  sigil: "/",
  explicitBy: "front-matter",
  background: minutes,
};

/** By harness; one that is not here documents no folder for skills. */
export const skillPrograms: Readonly<Record<string, SkillProgram>> = {
  // https://code.claude.com/docs/en/skills; `run_in_background` of its Bash tool: https://code.claude.com/docs/en/interactive-mode
  claude: {
    ...usual,
    background: `It can take several minutes: run it as a background task (\`run_in_background\`) and go on meanwhile. You are told when
it has ended.`,
  },
  // https://developers.openai.com/codex/skills names ~/.agents/skills, which Gemini CLI, Copilot and others read as well,
  // though they are called in another way; $CODEX_HOME/skills is read too, and by Codex alone
  // (https://github.com/openai/codex/pull/11289).
  codex: { ...usual, sigil: "$", explicitBy: "openai-yaml" },
  // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference#skills-reference
  copilot: usual,
  // https://cursor.com/docs/context/skills
  cursor: usual,
  // https://docs.factory.ai/cli/configuration/skills
  droid: usual,
  // https://geminicli.com/docs/cli/skills; by name since https://github.com/google-gemini/gemini-cli/pull/21758
  gemini: { ...usual, explicitBy: "description" },
  // https://hermes-agent.nousresearch.com/docs/user-guide/features/skills
  hermes: { ...usual, explicitBy: "description" },
  // https://qwenlm.github.io/qwen-code-docs/en/users/features/skills/
  qwen: usual,
  // https://docs.x.ai/build/features/skills-plugins-marketplaces; it reads Claude Code's and Cursor's as well and takes
  // its own of several with one name.
  grok: usual,
};
