import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import { buildCommand, handlerOf, quotePosix, windowsCommand } from "../../src/install/command.ts";
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

  test("on Windows plain words stay plain, and a path with spaces goes encoded", () => {
    expect(windowsCommand(["C:\\bin\\roborev.exe", "agent-hook", "--source=x"])).toBe(
      "C:\\bin\\roborev.exe agent-hook --source=x",
    );
    const encoded = windowsCommand(["C:\\Program Files\\it's\\roborev.exe", "run"]).split(" ").at(-1) ?? "";
    expect(Buffer.from(encoded, "base64").toString("utf16le")).toBe(
      "& 'C:\\Program Files\\it''s\\roborev.exe' 'run'; exit $LASTEXITCODE",
    );
  });
});

describe("the handler", () => {
  test("has its timeout in the harness's unit, and none for 0", () => {
    const command = buildCommand("/r", "claude");
    expect(handlerOf(claude, command, 10_000)).toEqual({
      type: "command",
      command: command.text,
      timeout: 10,
    });
    expect(handlerOf(claude, command, 0)).toEqual({ type: "command", command: command.text });
    const inMs = { ...claude, config: { ...claude.config, timeoutUnit: "milliseconds" as const } };
    expect(handlerOf(inMs, command, 10_000)).toMatchObject({ timeout: 10_000 });
  });

  test("has a command for Windows where the harness has a field for it and we built the command", () => {
    const harness = { ...codex, config: { ...codex.config, windowsCommandField: "commandWindows" } };
    expect(handlerOf(harness, buildCommand("/r", "codex"), 0)).toMatchObject({
      commandWindows: "/r agent-hook run --agent codex --source=roborev-agent-hook",
    });
    expect(handlerOf(harness, { text: "custom" }, 0)).toEqual({ type: "command", command: "custom" });
  });
});
