import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import fc from "fast-check";
import { customCommand } from "../../src/install/custom-command.ts";
import { UsageError } from "../../src/lib/errors.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const shells = ["/bin/sh", "/bin/bash"].filter(existsSync);
const record = `#!/bin/sh
{ printf '%s\\0' "$0" "$@"; } > "$LOG/$$"
exit 0
`;

/** Every program that a command line could reach, each of which records how it was called. */
function recorders() {
  const programs = [
    "roborev",
    "my-roborev",
    "agent-hook",
    "run",
    "qwen",
    "x",
    "true",
    "--agent",
    "roborev.exe",
  ];
  const dir = tempDir(Object.fromEntries(programs.map((name) => [`bin/${name}`, record])));
  for (const name of programs) chmodSync(dir.join("bin", name), 0o755);
  mkdirSync(dir.join("log"));
  mkdirSync(dir.join("cwd"));
  const run = (shell: string, command: string): string[][] => {
    rmSync(dir.join("log"), { recursive: true });
    mkdirSync(dir.join("log"));
    const env = {
      PATH: dir.join("bin"),
      LOG: dir.join("log"),
      HOME: dir.path,
      IFS: " \t\n",
      V: "a b",
      BIN: dir.join("bin"),
    };
    Bun.spawnSync([shell, "-c", command], { env, cwd: dir.join("cwd"), stdin: "ignore", stderr: "ignore" });
    return readdirSync(dir.join("log")).map((name) =>
      readFileSync(dir.join("log", name), "utf8").split("\0").slice(0, -1),
    );
  };
  return { run, written: () => readdirSync(dir.join("cwd")), [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** The registered line, or undefined where it is refused. */
function accepted(text: string): string | undefined {
  try {
    return customCommand(
      text,
      "qwen",
      ["qwen"],
      { HOME: "/nowhere" },
      { isDirectory: () => false, isExecutable: () => false },
    ).text;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

const pieces = [
  "roborev",
  "agent-hook",
  "run",
  "--agent",
  "--agent=qwen",
  "qwen",
  " ",
  " ",
  " ",
  "'",
  "'",
  '"',
  '"',
  "\\",
  "$",
  "${",
  "}",
  "$V",
  "$BIN/",
  "[",
  "]",
  "{",
  "a,b",
  "~",
  "*",
  "?",
  "!",
  "=",
  "x",
  "; x",
  "& x",
  "| x",
  "> f",
  "< f",
  "(x)",
  "`x`",
  "$(x)",
  "#",
  "x=1",
  ":-",
  "--x",
  "%",
  "^",
  "+",
  "\u00a0",
  "é",
];
/** Anything at all behind, between and in front of the words that have to be there. */
const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((parts) => parts.join(""));
const frames: ((a: string, b: string, c: string) => string)[] = [
  (a, b) => `roborev agent-hook run --agent qwen ${a}${b}`,
  (a, b) => `roborev agent-hook run ${a} --agent qwen ${b}`,
  (a) => `${a}roborev agent-hook run --agent=qwen`,
  (a, b) => `roborev${a} agent-hook run "--agent" 'qwen'${b}`,
  (a, b, c) => `roborev ${a}agent-hook${b} run --agent qwen ${c}`,
];
const texts = fc
  .tuple(fc.constantFrom(...frames), noise, noise, noise)
  .map(([frame, a, b, c]) => frame(a, b, c));

test("scenario 106: whatever --command accepts, a real shell runs as exactly one simple command, and it is ours", () => {
  using world = recorders();
  let tried = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const line = accepted(text);
      if (line === undefined) return;
      tried++;
      for (const shell of shells) {
        const calls = world.run(shell, line);
        // None: an expansion that the shell refuses, or a program that is not there.
        if (line.startsWith("roborev ")) expect(calls).toHaveLength(1);
        expect(calls.length).toBeLessThanOrEqual(1);
        for (const [program = "", ...args] of calls) {
          expect(program).toMatch(/roborev/);
          expect(args).toContain("agent-hook");
          expect(args).toContain("run");
        }
        expect(world.written()).toEqual([]);
      }
    }),
    { numRuns: 1500 },
  );
  expect(tried).toBeGreaterThan(100);
});

test("the words that are checked are the words that the shell passes on", () => {
  using world = recorders();
  const words = fc.array(
    fc.string({
      unit: fc.constantFrom("a", " ", "'", '"', "\\", "é", "-", "=", "]", "}", ",", "@", "%"),
      maxLength: 6,
    }),
    { maxLength: 4 },
  );
  const quote = fc.constantFrom(
    (word: string) => `'${word.replaceAll("'", "'\\''")}'`,
    (word: string) => `"${word.replace(/["\\]/g, "\\$&")}"`,
    // Only what has to be: a backslash before anything else is itself.
    (word: string) => `"${word.replace(/"|\\(?=["\\]|$)/g, "\\$&")}"`,
    (word: string) => word.replace(/[^a-z]/g, "\\$&") || "''",
  );
  fc.assert(
    fc.property(words, quote, (args, quoted) => {
      const line = accepted(["roborev agent-hook run --agent qwen", ...args.map(quoted), "z"].join(" "));
      if (line === undefined) {
        expect(args.some((word) => word === "--" || word.startsWith("--agent"))).toBe(true);
        return;
      }
      const [call] = world.run("/bin/sh", line);
      expect(call?.slice(1)).toEqual([
        "agent-hook",
        "run",
        "--agent",
        "qwen",
        ...args,
        "z",
        "--source=roborev-agent-hook",
      ]);
    }),
    { numRuns: 150 },
  );
});

test.each([
  ["roborev=1 agent-hook run --agent qwen", "an assignment"],
  ["A=roborev agent-hook run --agent qwen", "an assignment"],
  ["roborev agent-hook run --agent qwen $'\\'' ; x ; echo \\'", "a quote that only some shells know"],
  ["roborev agent-hook run --agent qwen $[ ' ] ; x ; : '' ]", "arithmetic that only some shells know"],
  [`roborev agent-hook run --agent qwen "\${x:-a}"`, "an expansion with a default"],
  ["roborev agent-hook run --agent qwen ${x", "an expansion without end"],
  ["{x,roborev} agent-hook run --agent qwen", "a list of words"],
  ["/b*n/roborev agent-hook run --agent qwen", "a pattern"],
  ["$roborev agent-hook run --agent qwen", "a program that is empty without its variable"],
])("%s is refused: %s", (text) => expect(accepted(text)).toBeUndefined());

test.each([
  `\${HOME}/bin/roborev agent-hook run --agent qwen`,
  "~/bin/roborev agent-hook run --agent qwen",
  `$HOME/bin/roborev agent-hook run --agent qwen '\${x:-y}' \\$[x "\\$'"`,
])("%s is accepted", (text) => expect(accepted(text)).toBe(`${text} --source=roborev-agent-hook`));
