import { expect, test } from "bun:test";
import { tryParseReasoning } from "../../src/config/reasoning.ts";
import { agentCommand, expandSecret, maxWorkers, requireUnsafeAgents } from "../../src/config/runtime.ts";

test("the number of workers has its documented default", () => {
  expect(maxWorkers({})).toBe(4);
  expect(maxWorkers({ max_workers: 1 })).toBe(1);
});

test("a reviewer's command is found under any of its names, and never under an inherited one", () => {
  const global = { claude_code_cmd: "claude --x", cursor_cmd: "agent" };
  expect(agentCommand(global, "claude")).toBe("claude --x");
  expect(agentCommand(global, "claude-code")).toBe("claude --x");
  expect(agentCommand(global, "agent")).toBe("agent");
  expect(agentCommand(global, "codex")).toBeUndefined();
  expect(agentCommand(global, "constructor")).toBeUndefined();
});

test("an agent may edit files where the flag says so, else the setting, else only for a person's command", () => {
  const allowed = (...given: Parameters<typeof requireUnsafeAgents>) => {
    try {
      requireUnsafeAgents(...given);
      return true;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(allowed({}, { byUser: true })).toBe(true);
  expect(allowed({}, { byUser: false })).toBe("no agent may edit files and run commands here");
  for (const byUser of [true, false]) {
    expect(allowed({ allow_unsafe_agents: true }, { byUser })).toBe(true);
    const no = allowed({ allow_unsafe_agents: false }, { byUser });
    expect(no).toBe("no agent may edit files and run commands here: allow_unsafe_agents is false");
    expect(allowed({ allow_unsafe_agents: false }, { byUser, flag: true })).toBe(true);
    expect(allowed({ allow_unsafe_agents: true }, { byUser, flag: false })).not.toBe(true);
  }
});

test("a secret takes variables from the environment, and one that is not set is an error that shows no value", () => {
  expect(expandSecret(`sk-\${TOKEN}-x`, { TOKEN: "abc" })).toBe("sk-abc-x");
  expect(expandSecret("plain $TOKEN", { TOKEN: "abc" })).toBe("plain $TOKEN");
  expect(() => expandSecret(`sk-hidden-\${TOKEN}`, {})).toThrow(
    /^(?!.*sk-hidden).*variable TOKEN, which is not set$/,
  );
});

test.each([
  ["low", "fast"],
  [" Fast ", "fast"],
  ["STANDARD", "standard"],
  ["high", "thorough"],
  ["max", "maximum"],
  ["xhigh", "maximum"],
  ["toString", undefined],
  ["", undefined],
])("reasoning level %j is %j", (text, level) => {
  expect(tryParseReasoning(text)).toBe(level as never);
});
