import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { completionPlan } from "../../../src/cli/completion/plan.ts";
import { completionScript } from "../../../src/cli/completion/scripts.ts";
import { shells } from "../../../src/cli/completion/sources.ts";
import { root } from "../../../src/cli/tree.ts";
import { binary } from "../../support/binary.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";

const places = await completionPlan(root);
const scripts = tempDir(Object.fromEntries(shells.map((shell) => [shell, completionScript(shell, places)])));

/** Words after `roborev`, the last one being completed; what must be among the candidates; what must not. */
const lines: [words: string[], offered: string[], absent?: string[]][] = [
  [[""], ["init", "review", "agent-hook", "help"], ["post-commit", "--json"]],
  [["agent-hook", "ins"], ["install"], ["review"]],
  [["review", "--"], ["--agent", "--branch", "--dirty", "--json"], ["--nope"]],
  [["review", "--agent", "c"], ["codex", "claude-code"], ["--agent"]],
  [["--server", "unix://", "agent-hook", "install", "--agent", ""], ["claude", "all"], ["claude-code"]],
  [["review", "--reasoning=f"], ["--reasoning=fast"]],
  [["list", "--status", "q"], ["queued"]],
  [["config", "get", "max_w"], ["max_workers"]],
  [["config", "set", "--global", "max_workers", ""], [], ["max_workers"]],
  [["help", "ex"], ["exit-codes"]],
  [
    ["help", "agent-hook", "d"],
    ["doctor", "dump"],
  ],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["respond", "HE"], ["HEAD"]],
  [["review", "--", "ma"], ["main"], ["--agent"]],
  [
    ["fix", "--branch", ""],
    ["main", "side"],
  ],
  [["close", "1", "--js"], ["--json"]],
];

let repo: TestRepo;
const hostile = [
  `a$(touch\${IFS}pwned)`,
  `b;touch\${IFS}pwned`,
  "c`touch\u00a0pwned`",
  "d'e\"f",
  "g&h|i>pwned",
];

beforeAll(() => {
  repo = testRepo();
  repo.git("branch", "side");
  for (const name of hostile) repo.git("branch", name);
  writeFileSync(`${repo.path}/file one`, "");
});

afterAll(() => {
  repo[Symbol.dispose]();
  scripts[Symbol.dispose]();
});

async function run(argv: string[], env: Record<string, string> = {}): Promise<string[]> {
  const child = Bun.spawn(argv, {
    cwd: repo.path,
    env: { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}`, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(stderr).toBe("");
  return stdout.split("\n").filter(Boolean);
}

/** Bash splits what is typed at equals signs. */
const bashWords = (words: string[]) =>
  words.flatMap((word) => (word.startsWith("--") ? word.split(/(=)/) : [word]));

const bashTest = `. "$1"; shift; COMP_WORDS=(roborev "$@"); COMP_CWORD=$#; _roborev
for at in $(seq 0 $((\${#COMPREPLY[@]} - 1))); do printf '%s\\n' "\${COMPREPLY[$at]}"; done`;

const inBash = (words: string[]) =>
  run(["bash", "--noprofile", "--norc", "-uc", bashTest, "bash", scripts.join("bash"), ...bashWords(words)]);

const whole = (words: string[], found: string[]) => {
  const prefix = /^--\w+=/.exec(words.at(-1) ?? "")?.[0] ?? "";
  return found.map((name) => (name.startsWith("--") ? name : prefix + name));
};

/** zsh without its line editor: what would be added to the line is printed. */
const zshTest = `compdef() { :; }; compadd() { print -rl -- "\${names[@]}"; }
. "$1"; shift; words=(roborev "$@"); CURRENT=$#words; _roborev`;

const inZsh = (words: string[]) => run(["zsh", "-fc", zshTest, "zsh", scripts.join("zsh"), ...words]);

/** The functions that both have in common, of the script for zsh, in bash. */
const zshInBash = async (words: string[]) => {
  const text = await Bun.file(scripts.join("zsh")).text();
  const script = text.slice(0, text.indexOf("\n_roborev() {"));
  const found = await run([
    "bash",
    "--noprofile",
    "--norc",
    "-uc",
    `${script}\n_roborev_candidates "$@"`,
    "bash",
    words.at(-1) ?? "",
    ...words.slice(0, -1),
  ]);
  return found.map((line) => line.split("\t")[0] ?? "");
};

const inFish = async (words: string[]) => {
  const found = await run(
    [
      "fish",
      "--no-config",
      "-c",
      'source $argv[1]; complete -C "roborev $argv[2]"',
      scripts.join("fish"),
      words.join(" "),
    ],
    { XDG_CONFIG_HOME: scripts.join("config"), XDG_DATA_HOME: scripts.join("share") },
  );
  return found.map((line) => line.split("\t")[0] ?? "");
};

function promises(complete: (words: string[]) => Promise<string[]>) {
  test.each(lines)("%p", async (words, offered, absent = []) => {
    const found = await complete(words);
    expect(found).toEqual(expect.arrayContaining(offered));
    for (const name of absent) expect(found).not.toContain(name);
  });

  test("branches with names like commands are not offered, and nothing of them is run", async () => {
    const found = await complete(["review", "--base", ""]);
    expect(found).toContain("side");
    expect(found.join("\n")).not.toMatch(/touch|pwned|[;&|'"`$]/);
    expect(existsSync(`${repo.path}/pwned`)).toBe(false);
  });
}

describe("bash itself offers for", () => {
  promises(async (words) => whole(words, await inBash(words)));

  test("a file, with what the line has of its name", async () => {
    expect(await inBash(["init", "--binary", "fil"])).toEqual(["file one"]);
    expect(await inBash(["skills", "status", "--path", "fil"])).toEqual([]);
  });

  test("a word that matches nothing: nothing", async () => {
    expect(await inBash(["zzz"])).toEqual([]);
    expect(await inBash(["close", ""])).toEqual([]); // no daemon
  });
});

if (Bun.which("zsh")) describe("zsh itself offers for", () => promises(inZsh));
else
  describe("there is no zsh here, bash runs the functions of its script and offers for", () =>
    promises(zshInBash));

if (Bun.which("fish")) describe("fish itself offers for", () => promises(inFish));
else
  describe("there is no fish here, the text of its script", () => {
    const script = completionScript("fish", places);

    test("closes every block that it opens, and every quote", () => {
      const words = script.split("\n").map((line) => line.trim().split(/\s+/)[0] ?? "");
      const opened = words.filter((word) => ["function", "switch", "if", "for"].includes(word)).length;
      expect(words.filter((word) => word === "end")).toHaveLength(opened);
      for (const line of script.split("\n").filter((line) => !line.startsWith("#")))
        expect(line.replace(/'(?:[^'\\]|\\.)*'|"[^"]*"/g, "")).not.toMatch(/['"]/);
    });

    test("names every command, every flag and where live values come from", () => {
      for (const { path, words, flags } of places) {
        for (const { name } of words) expect(script).toContain(`case '${path} ${name}'`);
        for (const { name, source } of flags) if (source) expect(script).toContain(`'${path} ${name}'`);
      }
      expect(script).toContain("(__roborev_candidates)");
      expect(script).toContain("command roborev completion-values job 2>/dev/null");
    });
  });

test("the scripts quote what they say: nothing of the tree is read as code", () => {
  const evil = "it's $(touch pwned) `touch pwned` \\";
  const place = { path: "", words: [{ name: "go", about: evil }], aliases: [], flags: [], slots: [] };
  for (const shell of shells) {
    const script = completionScript(shell, [place]);
    const quotedText = shell === "fish" ? evil.replace(/[\\']/g, "\\$&") : evil.replaceAll("'", "'\\''");
    expect(script).toContain(`'${quotedText}'`);
  }
});
