import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { claude } from "../../src/harness/claude.ts";
import { copilot } from "../../src/harness/copilot.ts";
import { cursor } from "../../src/harness/cursor.ts";
import { gemini } from "../../src/harness/gemini.ts";
import type { Harness, Registration } from "../../src/harness/harness.ts";
import { hermes } from "../../src/harness/hermes.ts";
import { qwen } from "../../src/harness/qwen.ts";
import { harnesses } from "../../src/harness/registry.ts";
import { buildCommand, entryOf, quotePosix } from "../../src/install/command.ts";
import { splitCommand } from "../../src/lib/shell-words.ts";

describe("the registered command", () => {
  test("names agent and source, and is quoted for a POSIX shell", () => {
    expect(buildCommand("/usr/bin/roborev", "codex").text).toBe(
      "/usr/bin/roborev agent-hook run --agent codex '--source=roborev-agent-hook'",
    );
    expect(buildCommand("/a b/it's/roborev", "claude").text).toStartWith(
      "'/a b/it'\\''s/roborev' agent-hook run",
    );
  });

  test("D29: carries the daemon's socket when it is given one", () => {
    expect(buildCommand("/r", "codex", "/data dir/daemon.sock").text).toEndWith(
      " --roborev-server 'unix:///data dir/daemon.sock'",
    );
  });

  test("T8: any words survive the splitter and a real shell", () => {
    const words = fc.array(
      fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\p{Cc}]/gu, "x")),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(words, (argv) => {
        const text = argv.map(quotePosix).join(" ");
        expect(splitCommand(text)).toEqual({ words: argv });
      }),
    );
    const hostile = ["$(touch x)", "`x`", "a'b", '"', "\\", "-n", "; x", "*", "~", "a=b", "#", "é😀", ""];
    const shell = Bun.spawnSync(["/bin/sh", "-c", `printf '%s\\0' ${hostile.map(quotePosix).join(" ")}`]);
    expect(shell.stdout.toString().split("\0").slice(0, -1)).toEqual(hostile);
  });
});

describe("one registration", () => {
  const [tool, , stop] = claude.registrations as [Registration, Registration, Registration];

  test("has its timeout in the harness's unit, and none for 0", () => {
    const command = buildCommand("/r", "claude");
    expect(entryOf(claude, stop, command, 10_000)).toEqual({
      type: "command",
      command: command.text,
      timeout: 10,
    });
    expect(entryOf(claude, stop, command, 0)).toEqual({ type: "command", command: command.text });
    expect(entryOf(gemini, stop, command, 10_000)).toMatchObject({ timeout: 10_000, name: "roborev" });
  });

  test("Hermes: beyond 300 seconds it is refused; Gemini, Qwen: what would be read in another unit", () => {
    const entry = (harness: Harness, ms: number) => () => entryOf(harness, stop, { text: "x" }, ms);
    expect(entry(hermes, 300_000)()).toMatchObject({ timeout: 300 });
    expect(entry(hermes, 301_000)).toThrow(
      "timeout must be between 1 and 300 seconds for Hermes Agent, got 301",
    );
    for (const harness of [gemini, qwen]) {
      expect(entry(harness, 30_000)()).toMatchObject({ timeout: 30_000 });
      expect(entry(harness, 31_000)).toThrow("between 1 and 30 seconds");
    }
    for (const harness of harnesses) expect(entry(harness, 0)()).not.toHaveProperty("timeout");
  });

  test("Copilot: flat, with one command for each shell; with --command only that", () => {
    const matcher = "bash|Bash";
    const line = "/r agent-hook run --agent copilot '--source=roborev-agent-hook' || echo '{}'";
    const call = "& '/r' 'agent-hook' 'run' '--agent' 'copilot' '--source=roborev-agent-hook'";
    expect(entryOf(copilot, { ...tool, matcher }, buildCommand("/r", "copilot"), 10_000)).toEqual({
      type: "command",
      matcher,
      bash: line,
      powershell: `try { ${call} } catch { '{}' }; exit 0`,
      timeoutSec: 10,
    });
    expect(entryOf(copilot, stop, { text: "my roborev" }, 0)).toEqual({
      type: "command",
      command: "my roborev || echo '{}'",
    });
  });

  test("Cursor and Hermes: flat, with nothing else; a Cursor entry never fails closed", () => {
    for (const harness of [cursor, hermes]) {
      expect(entryOf(harness, { ...tool, matcher: "m" }, { text: "c" }, 10_000)).toEqual({
        matcher: "m",
        command: "c",
        timeout: 10,
      });
    }
  });
});
