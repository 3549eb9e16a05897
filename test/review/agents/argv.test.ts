import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { parseFlags } from "../../../src/review/agents/capabilities.ts";
import { claudeCode } from "../../../src/review/agents/claude-code.ts";
import { codex } from "../../../src/review/agents/codex.ts";
import type { Capabilities, ReviewerTask } from "../../../src/review/agents/reviewer.ts";
import { fixture } from "./fixture.ts";

const task = (more: Partial<ReviewerTask> = {}): ReviewerTask => ({
  jobId: 7,
  cwd: "/data/worktrees/7",
  reasoning: "thorough",
  ...more,
});
const capable = (flags: Iterable<string>, files: Record<string, string> = {}): Capabilities => ({
  flags: new Set(flags),
  files: new Map(Object.entries(files)),
  helpers: new Set(),
});

describe("A01 claude-code", () => {
  const now = capable(parseFlags(fixture("claude-help.txt")));
  const argv = (more?: Partial<ReviewerTask>, capabilities = now) =>
    claudeCode.argv(task(more), capabilities);

  test("a review reads only, loads nothing of the project, and says how hard to think", () => {
    expect(argv()).toEqual([
      ...["-p", "--verbose", "--output-format", "stream-json"],
      ...["--setting-sources", "user"],
      ...["--settings", '{"disableAllHooks":true,"permissions":{"defaultMode":"default"}}'],
      ...["--strict-mcp-config", "--disable-slash-commands", "--safe-mode"],
      ...["--tools", "Read,Glob,Grep"],
      ...["--effort", "high"],
    ]);
  });

  test("model, session and every reasoning level", () => {
    expect(argv({ model: "opus", sessionId: "abc-1" }).slice(-4)).toEqual([
      "--model",
      "opus",
      "--resume",
      "abc-1",
    ]);
    const effort = (reasoning: ReviewerTask["reasoning"]) => argv({ reasoning }).at(-1);
    expect((["fast", "standard", "medium", "thorough", "maximum"] as const).map(effort)).toEqual([
      ...["low", "medium", "medium", "high", "max"],
    ]);
  });

  test("A11 an older version gets only the options that its help lists", () => {
    const old = argv({}, capable(["--setting-sources", "--settings", "--strict-mcp-config"]));
    expect(old).not.toContain("--effort");
    expect(old).not.toContain("--safe-mode");
    expect(old).not.toContain("--disable-slash-commands");
    expect(old[old.indexOf("--disallowedTools") + 1]).toContain("Bash,Edit,MultiEdit,Write");
  });

  test("A06 an invalid session id never reaches the command line", () => {
    for (const sessionId of ["--dangerously-skip-permissions", "-x", "a".repeat(129), "a b", "a/b", ""])
      expect(argv({ sessionId })).toEqual(argv());
  });

  test("a model that could be an option is refused", () => {
    for (const model of ["--dangerously-skip-permissions", "-m", "a\nb", "x".repeat(300)])
      expect(() => argv({ model })).toThrow("is not the name of a model");
  });
});

describe("A01 codex", () => {
  const now = capable(parseFlags(fixture("codex-help.txt")));
  const argv = (more?: Partial<ReviewerTask>, capabilities = now) => codex.argv(task(more), capabilities);
  const settings = (words: string[]) => words.filter((_, at) => words[at - 1] === "-c");

  test("A03 without its sandbox, if its user says so, a review still switches off everything that could run", () => {
    const bypass = "--dangerously-bypass-approvals-and-sandbox";
    const open = argv({ withoutSandbox: true });
    expect(open).toContain(bypass);
    expect(open).not.toContain("--sandbox");
    expect(settings(open)).toEqual(settings(argv()));
    const resumed = argv({ withoutSandbox: true, sessionId: "abc-1" });
    expect(resumed.slice(0, 4)).toEqual(["exec", "resume", "--json", bypass]);
    expect(settings(resumed)).not.toContain('sandbox_mode="read-only"');
    const old = capable(new Set(["--json", "--sandbox", "--config"]));
    expect(() => argv({ withoutSandbox: true }, old)).toThrow("cannot do without its sandbox");
  });

  test("a review is sandboxed, with everything that could run switched off", () => {
    const words = argv();
    expect(words.slice(0, 7)).toEqual([
      "exec",
      "--json",
      "--sandbox",
      "read-only",
      "-C",
      "/data/worktrees/7",
      "--ignore-rules",
    ]);
    expect(words.at(-1)).toBe("-");
    expect(settings(words)).toEqual([
      "features.hooks=false",
      "features.plugins=false",
      "features.apps=false",
      "features.multi_agent=false",
      "notify=[]",
      "skills.include_instructions=false",
      "project_doc_max_bytes=0",
      'web_search="disabled"',
      'shell_environment_policy.inherit="core"',
      'projects={"/data/worktrees/7"={trust_level="untrusted"}}',
      'model_reasoning_effort="high"',
    ]);
  });

  test("a resumed session is sandboxed by configuration, because resume knows no --sandbox", () => {
    const words = argv({ sessionId: "abc-1", model: "gpt-x" });
    expect(words.slice(0, 3)).toEqual(["exec", "resume", "--json"]);
    expect(words).not.toContain("--sandbox");
    expect(settings(words)).toContain('sandbox_mode="read-only"');
    expect(words.slice(-4)).toEqual(["-m", "gpt-x", "abc-1", "-"]);
  });

  test("every reasoning level; standard leaves the user's own setting", () => {
    const effort = (reasoning: ReviewerTask["reasoning"]) =>
      settings(argv({ reasoning })).find((setting) => setting.startsWith("model_reasoning_effort"));
    expect((["fast", "standard", "medium", "thorough", "maximum"] as const).map(effort)).toEqual([
      'model_reasoning_effort="low"',
      undefined,
      'model_reasoning_effort="medium"',
      'model_reasoning_effort="high"',
      'model_reasoning_effort="xhigh"',
    ]);
  });

  test("A11 an older version without --ignore-rules still works", () => {
    expect(argv({}, capable(["--json", "--sandbox"]))).not.toContain("--ignore-rules");
  });

  test("each MCP server of the user and the system is switched off by its name", () => {
    const config = '[mcp_servers.mine]\ncommand = "x"\n[mcp_servers.web-2]\nurl = "https://x"\n';
    const words = argv(
      {},
      capable(now.flags, { "/h/config.toml": config, "/etc/codex/config.toml": "[mcp_servers.sys]\n" }),
    );
    expect(settings(words).filter((setting) => setting.startsWith("mcp"))).toEqual([
      "mcp_servers.mine.enabled=false",
      "mcp_servers.web-2.enabled=false",
      "mcp_servers.sys.enabled=false",
    ]);
  });

  test("what cannot be read or switched off is an error, not a server that runs", () => {
    const withConfig = (text: string) => () => argv({}, capable(now.flags, { "/h/config.toml": text }));
    expect(withConfig('[mcp_servers."a.b"]\n')).toThrow("cannot be switched off");
    expect(withConfig("[mcp_servers\n")).toThrow("cannot read /h/config.toml");
  });

  test("a hostile path stays one string", () => {
    const cwd = '/tmp/a"}\n[x]\u007f\\';
    const setting = settings(argv({ cwd })).find((one) => one.startsWith("projects")) as string;
    expect(Bun.TOML.parse(setting)).toEqual({ projects: { [cwd]: { trust_level: "untrusted" } } });
  });

  test("its configuration is looked up where Codex does", () => {
    const files = (env: Record<string, string>) => codex.userFiles?.(env);
    expect(files({ HOME: "/h" })).toEqual([join("/h", ".codex/config.toml"), "/etc/codex/config.toml"]);
    expect(files({ HOME: "/h", CODEX_HOME: "/c" })?.[0]).toBe("/c/config.toml");
  });
});
