/** How an installed release is started; paths may have wildcards, the shortest match counts. */
export type Start =
  /** A program of its own. */
  | { native: string }
  /** The same, packed. */
  | { brotli: string }
  /** A script for this major version of Node, or a later one. */
  | { script: string; node: number };

/** One version of a program, as the npm registry has it. */
export interface Release {
  /** Its name here, and that of its executable. */
  name: string;
  version: string;
  /** Package and exact version. */
  spec: string;
  /** Without what npm calls optional: native addons that it can do without. */
  lean?: true;
  start: Start;
}

const platform = `${process.platform}-${process.arch}`;

const claude = (version: string, start: Start): Release => ({
  name: "claude",
  version,
  spec: `@anthropic-ai/claude-code@${version}`,
  start,
});
const codex = (version: string): Release => ({
  name: "codex",
  version,
  spec: `@openai/codex@${version}`,
  start: { script: "@openai/codex/bin/codex.js", node: 16 },
});
const grok = (version: string): Release => ({
  name: "grok",
  version,
  spec: `@xai-official/grok@${version}`,
  start: { brotli: "@xai-official/grok-*/bin/grok.br" },
});

/**
 * The programs that the tests drive; of a program whose rules for hooks have changed, a release of before as well. The
 * newest comes first.
 */
export const releases: readonly Release[] = [
  claude("2.1.332", { native: "@anthropic-ai/claude-code-*/claude" }),
  // Switches all hooks off for one event that it does not know; names neither turns nor sub-agents.
  claude("2.0.76", { script: "@anthropic-ai/claude-code/cli.js", node: 18 }),
  codex("0.171.0"),
  // Runs every hook, asks for no trust.
  codex("0.124.0"),
  {
    name: "gemini",
    version: "0.61.0",
    spec: "@google/gemini-cli@0.61.0",
    lean: true,
    start: { script: "@google/gemini-cli/bundle/gemini.js", node: 20 },
  },
  {
    name: "qwen",
    version: "0.24.4",
    spec: "@qwen-code/qwen-code@0.24.4",
    lean: true,
    start: { script: "@qwen-code/qwen-code/cli-entry.js", node: 22 },
  },
  {
    name: "copilot",
    version: "1.0.102",
    spec: "@github/copilot@1.0.102",
    start: { native: "@github/copilot-*/copilot" },
  },
  {
    name: "droid",
    version: "0.225.2",
    // `@factory/cli` only wraps this one, and fetches it with a script of its own.
    spec: `@factory/cli-${platform}@0.225.2`,
    start: { native: "@factory/cli-*/bin/droid" },
  },
  grok("1.0.41"),
  // Drops what a hook answers after a tool, and has camelCase names only.
  grok("1.0.5"),
  {
    name: "opencode",
    version: "1.18.33",
    spec: "opencode-ai@1.18.33",
    start: { native: "opencode-*/bin/opencode" },
  },
];

/** Node itself, for programs that need a later one than there is. */
export const nodeRelease: Release = {
  name: "node",
  version: "22.23.5",
  spec: `node-${platform}@22.23.5`,
  start: { native: "node-*/bin/node" },
};

/** Harnesses that no test here can start, and why. */
export const outOfReach: Readonly<Record<string, string>> = {
  cursor: "not on the npm registry, and nothing of it runs without a login",
  hermes: "a Python program, not on the npm registry",
};
