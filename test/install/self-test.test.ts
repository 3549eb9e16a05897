import { describe, expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { claude } from "../../src/harness/claude.ts";
import { harnesses } from "../../src/harness/registry.ts";
import { selfTest, trialPayload } from "../../src/install/self-test.ts";
import { tempDir } from "../support/temp.ts";

async function tryOut(script: string, command = (path: string) => `'${path}' agent-hook run --agent claude`) {
  using dir = tempDir({ "my shim": `#!/bin/sh\n${script}\n` });
  chmodSync(dir.join("my shim"), 0o755);
  const env = { PATH: "/usr/bin:/bin", HOME: dir.path, SECRET: "s", ANTHROPIC_API_KEY: "k" };
  const problem = await selfTest({
    harness: claude,
    command: command(dir.join("my shim")),
    env,
    cwd: dir.path,
  });
  const seen = await Bun.file(dir.join("seen")).exists();
  return { problem, seen: seen ? readFileSync(dir.join("seen"), "utf8") : "" };
}

test("every harness's trial payload is a command of its shell tool that cannot commit, in its own session", () => {
  for (const harness of harnesses) {
    expect(harness.decode(trialPayload(harness, "/w"))).toMatchObject({
      kind: "event",
      event: {
        event: "PreToolUse",
        sessionId: "roborev-self-test",
        tool: "Bash",
        command: "true",
        cwd: "/w",
      },
    });
  }
});

describe("T18: the trial run of a registered command", () => {
  test("is silent about a command that answers with one JSON object", async () => {
    expect(await tryOut('cat >/dev/null; echo "{}"')).toMatchObject({ problem: undefined });
  });

  test("sends one harmless event, and neither secrets nor arguments of its own", async () => {
    const { problem, seen } = await tryOut(
      '{ cat; echo; env; echo "args: $*"; } > "$HOME/seen"; echo log >&2; echo "{}"',
    );
    expect(problem).toBeUndefined();
    expect(JSON.parse(seen.split("\n")[0] ?? "")).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "true" },
    });
    expect(seen).toContain("args: agent-hook run --agent claude\n");
    expect(seen).toContain("CLAUDECODE=1");
    expect(seen).not.toMatch(/SECRET|API_KEY/);
  });

  test.each([
    ["a banner", 'echo "welcome"; echo "{}"', "exactly one JSON object"],
    ["two documents", 'echo "{}"; echo "{}"', "exactly one JSON object"],
    ["nothing", "exit 0", "exactly one JSON object"],
    ["no object", "echo null", "exactly one JSON object"],
    ["exit code 2", 'echo broken >&2; echo "{}"; exit 2', "ended with exit code 2 (broken)"],
    ["no end", "sleep 30", "did not answer within 3 seconds"],
  ])("says so: %s", async (_, script, message) => {
    expect((await tryOut(script)).problem).toContain(message);
  });

  test("says so when the command is missing, or needs a shell to be expanded", async () => {
    expect((await tryOut("", () => "/nowhere/roborev agent-hook run")).problem).toContain(
      "could not be started",
    );
    expect((await tryOut("", () => "$HOME/roborev agent-hook run")).problem).toContain("was not tried out");
    expect((await tryOut("", () => "~/roborev agent-hook run")).problem).toContain("was not tried out");
  });
});
