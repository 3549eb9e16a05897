import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { constants } from "node:os";
import type { Harness } from "../../src/harness/harness.ts";
import { harnesses } from "../../src/harness/registry.ts";
import { buildCommand, registeredLine } from "../../src/install/command.ts";
import { customCommand } from "../../src/install/custom-command.ts";
import { guarded, needsShell, powershellLine, wordsOf } from "../../src/install/guard.ts";
import { isOurs } from "../../src/install/ownership.ts";
import { splitCommand } from "../../src/lib/shell-words.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

interface Ending {
  exit: number;
  stdout: string;
  stderr: string;
}
type Verdict = (ending: Ending) => boolean;

const isEmptyAnswer = (stdout: string) => stdout === "" || stdout.trim() === "{}";

/**
 * What each harness takes as nothing at any of its events, as measured; the least of what it says about statuses. A
 * time-out is nothing for all of them.
 */
const nothing: Record<string, Verdict> = {
  claude: ({ exit, stdout }) => exit !== 2 && isEmptyAnswer(stdout),
  codex: ({ exit, stdout }) => exit !== 2 && isEmptyAnswer(stdout),
  // Every other status denies the tool.
  copilot: ({ exit, stdout }) => exit === 0 && isEmptyAnswer(stdout),
  cursor: ({ exit, stdout }) => exit !== 2 && isEmptyAnswer(stdout),
  // 2 denies or goes on, 3 aborts; with 1 and 127 the tool runs.
  droid: ({ exit, stdout }) => [0, 1, 127].includes(exit) && isEmptyAnswer(stdout),
  // 0 and 1, or a program that has said nothing at all. An empty stdout makes it read stderr.
  gemini: ({ exit, stdout, stderr }) =>
    stdout === "" && stderr === "" ? true : (exit === 0 || exit === 1) && isEmptyAnswer(stdout),
  // No shell; statuses do not count before a newer version, in which 2 blocks a tool.
  hermes: ({ exit, stdout }) => exit !== 2 && isEmptyAnswer(stdout),
  qwen: ({ exit, stdout }) => exit !== 2 && isEmptyAnswer(stdout),
  grok: ({ exit, stdout }) => exit !== 2 && isEmptyAnswer(stdout),
};

const states: [string, string | undefined][] = [
  ["present", "cat >/dev/null; echo '{}'"],
  ["present and talking on stderr", "echo note >&2; echo '{}'"],
  ["gone", undefined],
  ["killed by a signal", "echo words >&2; kill -SEGV $$"],
  ["killed without a word", "kill -9 $$"],
  ["exiting with 1", "echo broken >&2; exit 1"],
  ["exiting with 127", "echo not found >&2; exit 127"],
  ["without its interpreter", "#!/nowhere/interpreter"],
];

const written = (script: string) => (script.startsWith("#!") ? `${script}\n` : `#!/bin/sh\n${script}\n`);

/** A directory with, or without, a program of ours in it. */
function world(script: string | undefined): { dir: TempDir; path: string } {
  const dir = tempDir(script === undefined ? {} : { "bin dir/roborev": written(script) });
  const path = dir.join("bin dir/roborev");
  if (script !== undefined) chmodSync(path, 0o755);
  return { dir, path };
}

/** As the harness starts it: Hermes Agent splits the words itself, the others leave that to a shell. */
function argvOf(harness: Harness, line: string, shell: string): string[] {
  if (harness.name !== "hermes") return [shell, "-c", line];
  const split = splitCommand(line);
  return "words" in split ? split.words : [];
}

const shells = ["/bin/sh", "/bin/bash"].filter(existsSync);
const commandsOf = (harness: Harness, path: string) => {
  const quoted = `"${path}" agent-hook run --agent ${harness.name}`;
  const probe = { isDirectory: () => false, isExecutable: () => true };
  return [
    buildCommand(path, harness.name),
    customCommand(quoted, harness.name, [harness.name], {}, probe),
  ].map((command) => registeredLine(harness, command));
};

describe("D24: a roborev that is gone, crashes or hangs is nothing to any harness", () => {
  for (const harness of harnesses) {
    // Ours never ends with 2; where something in its place might, and the harness obeys, there is a guard.
    const all = harness.config.guard
      ? [...states, ["exiting with 2", "echo no >&2; exit 2"] as const]
      : states;
    test.each(all)(`${harness.displayName}: %s`, (_, script) => {
      const { dir, path } = world(script);
      using _dir = dir;
      for (const line of commandsOf(harness, path)) {
        for (const shell of shells) {
          const [program = "", ...args] = argvOf(harness, line, shell);
          if (program === path && !existsSync(path)) continue; // Hermes Agent notes that and goes on
          const run = spawnSync(program, args, { input: "{}", env: { PATH: "/usr/bin:/bin" } });
          const ending = {
            exit: run.status ?? 128 + (constants.signals[run.signal ?? "SIGKILL"] ?? 0),
            stdout: run.stdout?.toString() ?? "",
            stderr: run.stderr?.toString() ?? "",
          };
          expect({ line, ending, nothing: nothing[harness.name]?.(ending) }).toMatchObject({ nothing: true });
        }
      }
    });

    test(`${harness.displayName}: hanging until the harness ends it`, async () => {
      const { dir, path } = world("exec sleep 30");
      using _dir = dir;
      for (const line of commandsOf(harness, path)) {
        const child = Bun.spawn(argvOf(harness, line, "/bin/bash"), {
          stdin: "ignore",
          stdout: "pipe",
          stderr: "pipe",
          detached: true,
        });
        const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
        await until(() => commandOf(child.pid) !== undefined && sleepers(child.pid) > 0);
        // Gemini CLI ends the one process that it started, the others its whole group.
        process.kill(harness.name === "gemini" ? child.pid : -child.pid, "SIGTERM");
        await child.exited;
        expect((await output)[0].trim()).toBeOneOf(["", "{}"]); // its pipes are closed, so nobody waits for them
      }
    });
  }
});

const commandOf = (pid: number) =>
  Bun.spawnSync(["ps", "-o", "args=", "-p", `${pid}`])
    .stdout.toString()
    .trim() || undefined;

/** How many processes of a group sleep: the program has been reached. */
const sleepers = (group: number) =>
  Bun.spawnSync(["ps", "-eo", "pgid=,args="])
    .stdout.toString()
    .split("\n")
    .filter((row) => new RegExp(`^\\s*${group} sleep`).test(row)).length;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(5);
}

describe("our own registrations are recognised through exactly the forms that are written", () => {
  test("by every harness, in every member, for a path with quotes and blanks", () => {
    for (const harness of harnesses) {
      const command = buildCommand("/a b/it's/roborev", harness.name);
      expect(isOurs(harness, registeredLine(harness, command))).toBe(true);
      const argv = command.argv ?? [];
      expect(wordsOf(registeredLine(harness, command))).toEqual(argv);
      for (const guard of [undefined, "or-empty", "if-present"] as const) {
        expect(wordsOf(powershellLine(guard, argv))).toEqual(argv);
      }
      for (const guard of ["or-empty", "if-present"] as const) {
        expect(wordsOf(guarded(guard, command.text, "win32"))).toEqual(argv);
        expect(wordsOf(guarded(guard, command.text, "linux"))).toEqual(argv);
      }
    }
  });

  const run = "/r/roborev agent-hook run --agent gemini --source=roborev-agent-hook";
  test.each([
    `${run} || echo '{}'; x`,
    `${run} || echo "{}"`,
    `x || ${run} || echo '{}'`,
    `${run} | tee log || echo '{}'`,
    `command -v /other >/dev/null 2>&1 || exit 0; exec ${run} 2>/dev/null`,
    `command -v /r/roborev >/dev/null 2>&1 || exit 1; exec ${run} 2>/dev/null`,
    `command -v /r/roborev >/dev/null 2>&1 || exit 0; exec ${run} 2>/dev/null; x`,
    `command -v /r/roborev >/dev/null 2>&1 || exit 0; ${run} 2>/dev/null`,
    `try { & ${run} } catch { x }; exit 0`,
    `& ${run}`,
    `(${run})`,
    `if true; then ${run}; fi`,
  ])("somebody else's: %s", (line) => {
    for (const harness of harnesses) expect(isOurs(harness, line)).toBe(false);
  });

  test("a custom command stands inside the guard, its program in the question whether it is there", () => {
    expect(guarded("if-present", '"$HOME/my bin/roborev" agent-hook run', "linux")).toBe(
      'command -v "$HOME/my bin/roborev" >/dev/null 2>&1 || exit 0; exec "$HOME/my bin/roborev" agent-hook run 2>/dev/null',
    );
    expect(guarded("if-present", "/a\\ b/roborev run", "linux")).toStartWith(
      "command -v /a\\ b/roborev >/dev/null",
    );
  });
});

test.each([
  ["'/home/a $x/ro*rev' agent-hook run", false],
  ["/opt/roborev agent-hook run || echo '{}'", false],
  ["command -v /opt/roborev >/dev/null 2>&1 || exit 0; exec /opt/roborev agent-hook run 2>/dev/null", false],
  ["& 'C:\\$x\\roborev.exe' 'agent-hook' 'run'", false],
  ['"$HOME"/roborev agent-hook run', true],
  ["~/roborev agent-hook run", true],
  ["/opt/robo*ev agent-hook run", true],
  ["/opt/roborev agent-hook run `id`", true],
])("%s needs a shell to be expanded: %p", (line, expected) => expect(needsShell(line)).toBe(expected));
