import { expect, test } from "bun:test";
import { canonicalAgent, commandKey } from "../../../src/config/agent-name.ts";
import { agentCommand } from "../../../src/config/runtime.ts";
import { GlobalConfigSchema } from "../../../src/config/schema.ts";
import { RoborevError } from "../../../src/lib/errors.ts";
import { reviewerNames } from "../../../src/review/agents/registry.ts";
import { requireReviewer, type Selection, selectReviewer } from "../../../src/review/agents/select.ts";

const find =
  (...installed: string[]) =>
  (program: string) =>
    installed.includes(program) ? `/bin/${program}` : program.startsWith("/") ? program : undefined;
const select = (more: Partial<Selection>) =>
  selectReviewer({ commands: {}, find: find("claude", "codex"), ...more });
const chosen = (value: string, origin: "request" | "repo" | "global" = "global") => ({ value, origin });

function failure(more: Partial<Selection>): RoborevError {
  try {
    select(more);
  } catch (error) {
    if (error instanceof RoborevError) return error;
  }
  throw new Error("it was selected");
}

/** The configured command lines, as the configuration with this one key gives them. */
function agentCommands(line: string, name: string): Selection["commands"] {
  const key = commandKey(name);
  expect(Object.keys(GlobalConfigSchema.properties)).toContain(key);
  return { [name]: agentCommand({ [key]: line }, name) };
}

test("A09 nothing configured: the first installed one, codex before claude-code", () => {
  expect(select({}).command).toEqual(["/bin/codex"]);
  expect(select({ find: find("claude") })).toMatchObject({
    requested: "claude-code",
    command: ["/bin/claude"],
  });
  expect(select({ agent: { value: "codex", origin: "default" }, find: find("claude") }).requested).toBe(
    "claude-code",
  );
});

test("A09 D43 a chosen reviewer that is missing is named and never replaced", () => {
  for (const origin of ["request", "repo", "global"] as const) {
    const error = failure({ agent: chosen("claude", origin), find: find("codex") });
    expect(error.code).toBe("E_AGENT_MISSING");
    expect(error.message).toContain("claude-code");
    expect(error.hint).toContain("--agent");
  }
});

test("nothing installed says what was looked for", () => {
  const error = failure({ find: find() });
  expect(error.code).toBe("E_AGENT_NONE");
  expect(error.message).toContain("codex, claude");
});

test("an unknown name is refused with the list of names, and shown harmlessly", () => {
  const error = failure({ agent: chosen("gpt\u001b[31m") });
  expect(error).toMatchObject({
    code: "E_AGENT_UNKNOWN",
    hint: `Choose one of: ${reviewerNames().join(", ")}.`,
  });
  expect(error.message).not.toContain("\u001b");
  expect(failure({ agent: chosen("__proto__") }).code).toBe("E_AGENT_UNKNOWN");
});

test("A09 nothing configured: the whole order, and never the built-in one", () => {
  const order = [
    "codex",
    "claude",
    "gemini",
    "copilot",
    "opencode",
    "cursor-agent",
    "droid",
    "qwen",
    "grok",
    "hermes",
  ];
  for (const [index, program] of order.entries())
    expect(select({ find: find(...order.slice(index)) }).command).toEqual([`/bin/${program}`]);
  expect(reviewerNames()).toEqual([
    ...[
      "codex",
      "claude-code",
      "gemini",
      "copilot",
      "opencode",
      "cursor",
      "droid",
      "qwen",
      "grok",
      "hermes",
      "test",
    ],
  ]);
});

test("Cursor under its shared name is taken only where that is Cursor's", () => {
  const shared = (real: string) => (program: string, realPath?: RegExp) =>
    program === "agent" && (realPath?.test(real) ?? true) ? "/bin/agent" : undefined;
  const agent = chosen("cursor");
  expect(select({ agent, find: shared("/opt/cursor-agent/agent") }).command).toEqual(["/bin/agent"]);
  expect(failure({ agent, find: shared("/opt/grok/agent") }).code).toBe("E_AGENT_MISSING");
});

test("every reviewer's command line can be configured", () => {
  const names = reviewerNames().filter((name) => name !== "test");
  for (const name of names) {
    const commands = agentCommands(`/opt/${name} --mine`, name);
    const { command, reviewer } = select({ agent: chosen(name), commands });
    expect([reviewer.name, ...command]).toEqual([name, `/opt/${name}`, "--mine"]);
  }
});

test("aliases and any case are understood", () => {
  for (const [alias, name] of [
    [" Claude ", "claude-code"],
    ["agent", "cursor"],
    ["Grok-Build", "grok"],
  ] as const) {
    expect(canonicalAgent(alias)).toBe(name);
    expect(requireReviewer(alias).name).toBe(name);
  }
  expect(select({ agent: chosen(" Claude ") }).requested).toBe("claude-code");
});

test("a configured command is split as words, its first one looked up", () => {
  const commands = { codex: "'/opt/my codex' --profile 'a b'" };
  expect(select({ agent: chosen("codex"), commands }).command).toEqual(["/opt/my codex", "--profile", "a b"]);
  const missing = failure({ agent: chosen("codex"), commands: { codex: "nothere -x" } });
  expect(missing.message).toContain("nothere");
  expect(failure({ agent: chosen("codex"), commands: { codex: "codex; rm x" } }).code).toBe(
    "E_AGENT_COMMAND",
  );
});

test("D41 the built-in reviewer runs from our own executable, by request or global choice", () => {
  for (const origin of ["request", "global"] as const) {
    const selected = select({ agent: chosen("test", origin), find: find() });
    expect(selected.command[0]).toBe(process.execPath);
    expect(selected.command.at(-1)).toBe("test-reviewer");
  }
});

test("D41 the built-in reviewer is never automatic and never a repository's choice", () => {
  expect(failure({ find: find() }).code).toBe("E_AGENT_NONE");
  expect(failure({ agent: chosen("test", "repo") }).code).toBe("E_AGENT_REFUSED");
});
