import { expect, test } from "bun:test";
import { RoborevError } from "../../../src/lib/errors.ts";
import { type Selection, selectReviewer } from "../../../src/review/agents/select.ts";

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
  expect(error).toMatchObject({ code: "E_AGENT_UNKNOWN", hint: "Choose one of: codex, claude-code, test." });
  expect(error.message).not.toContain("\u001b");
  expect(failure({ agent: chosen("__proto__") }).code).toBe("E_AGENT_UNKNOWN");
});

test("aliases and any case are understood", () => {
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
