// The architecture as data. `source.ts` reads the files, `check-*.ts` apply the rules, the tests report.

/** Folders of src that a folder may import at run time, beside itself and `lib`. Types are free. */
export const imports: Record<string, { folders: string[]; lazily?: string[]; files?: string[] }> = {
  "main.ts": { folders: ["hook"], lazily: ["cli"] },
  lib: { folders: [] },
  fs: { folders: [] },
  harness: { folders: [] },
  reminder: { folders: [] },
  // Of client only the transport, and what that needs: the rest would pull in `node:` modules.
  hook: {
    folders: ["harness"],
    files: ["client/transport.ts", "client/endpoint.ts", "client/socket-path.ts"],
  },
  edit: { folders: ["fs"] },
  git: { folders: ["fs"] },
  config: { folders: ["fs", "edit"] },
  store: { folders: ["fs"] },
  client: { folders: ["fs"] },
  skills: { folders: ["fs", "harness"] },
  update: { folders: ["fs"] },
  install: { folders: ["fs", "harness", "edit", "config", "git", "skills"] },
  review: { folders: ["fs", "git", "store", "config"] },
  // Where the socket lies is one rule for those who listen and those who call. A reminder says whether a skill is there.
  daemon: {
    folders: ["fs", "store", "reminder", "review", "git", "config", "harness", "skills"],
    files: ["client/socket-path.ts"],
  },
  cli: {
    folders: ["fs", "client", "install", "config", "skills", "git", "harness", "update"],
    lazily: ["review", "daemon", "tui"],
  },
  tui: {
    folders: ["fs", "client", "install", "config", "skills", "git", "harness"],
    lazily: ["review", "daemon"],
  },
};

/** Which folders may load an npm package (or `bun:` module) at run time. */
export const packages: Record<string, string[]> = {
  citty: ["cli"],
  elysia: ["daemon"],
  "@elysiajs/*": ["daemon"],
  "@sinclair/typebox": ["config", "store", "daemon", "review"],
  // review reads the configuration of the Codex program; edit proves what it wrote with the parser that will read it.
  "smol-toml": ["config", "review", "edit"],
  "jsonc-parser": ["edit"],
  yaml: ["edit"],
  "toml-eslint-parser": ["edit"],
  "@logtape/*": ["daemon", "review", "cli"],
  ink: ["tui"],
  react: ["tui"],
  "bun:sqlite": ["fs", "store"],
};

/** Folders without any `node:` or `bun:` module. Anything that main.ts reaches statically is checked as well. */
export const withoutModules = ["hook", "harness", "reminder"];

export interface TextRule {
  name: string;
  pattern: RegExp;
  /** Paths below src where it may stand; a final slash stands for a folder. */
  allowed: string[];
  /** Only these folders; default all of src. */
  within?: string[];
}

/** Applied to the code without its comments and types. */
export const codeRules: TextRule[] = [
  {
    name: "processes are started only by the four spawners",
    pattern: /\bBun\s*\.\s*spawn(Sync)?\b|["'](node:)?(child_process|worker_threads|cluster)["']/,
    allowed: ["git/exec.ts", "review/agents/child.ts", "client/start.ts", "lib/process.ts"],
  },
  {
    name: "the one shell is the review hook runner (D10)",
    pattern:
      /["'][\w/.-]*\b(?:(?:ba|da|z|k|mk|a|fi)?sh|pwsh|powershell|cmd)(?:\.exe)?["']\s*,\s*["'][-/](?:\w*c|Command)\b/i,
    allowed: ["daemon/review-hooks/shell.ts"],
  },
  { name: "no shell", pattern: /\bBun\s*\.\s*\$|\bshell\s*:\s*(true|!0|["'])/, allowed: [] },
  {
    name: "Bun's functions are called as Bun.x, where these rules see them",
    pattern: /\bfrom\s*["']bun["']|\bimport\s*\(\s*["']bun["']\s*\)|\brequire\s*\(|getBuiltinModule/,
    allowed: [],
  },
  {
    name: "only main.ts and cli end the process",
    pattern: /\bprocess\s*\.\s*(exit|reallyExit|abort)\b/,
    allowed: ["main.ts", "cli/"],
  },
  {
    name: "console only in the two outputs",
    pattern: /\bconsole\b\s*[.[]/,
    allowed: ["hook/output.ts", "cli/output.ts"],
  },
  { name: "no code from text", pattern: /\beval\s*\(|\bnew\s+Function\b/, allowed: [] },
  {
    name: "process.stdin, stdout and stderr cost the hook 8 ms",
    pattern: /\bprocess\s*\.\s*std(in|out|err)\b/,
    allowed: [],
    within: ["main.ts", "hook/", "harness/", "lib/"],
  },
  {
    name: "Math is built at its first use, which costs the hook 0.05 to 0.13 ms",
    pattern: /\bMath\s*\./,
    allowed: [],
    within: ["main.ts", "hook/", "harness/"],
  },
  {
    name: "the policy is pure: time, chance and I/O come in from outside",
    pattern:
      /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^)\s])|\bMath\s*\.\s*random\b|\bperformance\s*\.|\bcrypto\s*\.|\bfetch\s*\(|\bBun\s*\.|\bprocess\s*\.|\bset(Timeout|Interval)\s*\(/,
    allowed: [],
    within: ["reminder/"],
  },
  { name: "no default exports", pattern: /\bexport\s+default\b|\bas\s+default\b/, allowed: [] },
];

export const maxLines = 300;
export const forbiddenNames = ["util", "utils", "helper", "helpers", "manager", "common", "misc", "index"];
export const fileName = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|gen|d))?\.(ts|tsx|sh)$/;
/** Spelled so that this file does not match itself. */
export const unfinished = new RegExp(
  `\\b(${["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"].join("|")})\\b`,
);
/** Comments that silence the type checker. */
export const silenced = /@ts-(?:ignore|nocheck)\b/;
export const machinePath = /(?<![\w.])\/(home|Users)\/(?!linuxbrew\b)[a-z][\w-]*\/|[A-Z]:\\+Users\\+\w/;
