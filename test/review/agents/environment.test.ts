import { describe, expect, test } from "bun:test";
import { claudeCode } from "../../../src/review/agents/claude-code.ts";
import { reviewerEnvironment } from "../../../src/review/agents/environment.ts";

const task = { jobId: 7, cwd: "/repo", command: ["/usr/bin/x"] };
const clean = (env: Record<string, string>) =>
  reviewerEnvironment({ HOME: "/h", PATH: "/usr/bin", ...env }, task);

test("A12 D30 every reviewer carries the job's id and takes no optional git locks", () => {
  expect(clean({})).toMatchObject({
    ROBOREV_REVIEW_JOB: "7",
    GIT_OPTIONAL_LOCKS: "0",
    PWD: "/repo",
    HOME: "/h",
  });
});

test("A12 D30 a fixer carries the other mark, which does not keep its commits from being reviewed", () => {
  const env = reviewerEnvironment({ ROBOREV_REVIEW_JOB: "1" }, { ...task, agentic: true });
  expect(env.ROBOREV_FIX_JOB).toBe("7");
  expect(env).not.toHaveProperty("ROBOREV_REVIEW_JOB");
});

test("a fixer commits as the user: with name, signature, PATH, and the daemon that the git hook has to find", () => {
  const own = {
    ...{ ROBOREV_DATA_DIR: "/d", ROBOREV_SERVER: "unix:///s", SSH_AUTH_SOCK: "/a", GIT_AUTHOR_NAME: "Ada" },
    ...{ GIT_COMMITTER_EMAIL: "a@b", HOME: "/h" },
  };
  const leaks = { GIT_DIR: "leak", GIT_INDEX_FILE: "leak", ROBOREV_TOKEN: "leak", CLAUDECODE: "leak" };
  const env = { ...own, ...leaks, PATH: "/usr/bin:/repo/venv/bin:relative" };
  const fixer = reviewerEnvironment(env, { ...task, agentic: true });
  expect(fixer).toMatchObject(own);
  expect(Object.values(fixer)).not.toContain("leak");
  expect(fixer.PATH).toContain("/repo/venv/bin");
  expect(fixer.PATH).not.toContain("relative");
  for (const name of ["ROBOREV_DATA_DIR", "ROBOREV_SERVER", "SSH_AUTH_SOCK", "GIT_AUTHOR_NAME"])
    expect(reviewerEnvironment(env, task)).not.toHaveProperty(name);
});

test("A12 D37 nothing inherited makes a program trust or approve what a checkout brings along", () => {
  const names = [
    ...["COPILOT_ALLOW_ALL", "COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS"],
    ...["GEMINI_CLI_TRUST_WORKSPACE", "GROK_FOLDER_TRUST", "HERMES_ACCEPT_HOOKS", "HERMES_YOLO_MODE"],
    ...["HERMES_ENABLE_PROJECT_PLUGINS"],
  ];
  const env = clean(Object.fromEntries(names.map((name) => [name, "1"])));
  for (const name of names) expect(env).not.toHaveProperty(name);
});

test("A12 T15 our settings, git's context, runtime options, agents' sockets and sessions are not inherited", () => {
  const secret = Object.fromEntries(
    [
      ...["ROBOREV_TOKEN", "ROBOREV_DATA_DIR", "ROBOREV_FIX_JOB", "GIT_DIR", "GIT_INDEX_FILE", "GIT_EDITOR"],
      ...["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "BUN_OPTIONS", "BUN_INSPECT", "NODE_OPTIONS", "NODE_PATH"],
      ...["npm_config_registry", "INIT_CWD", "SSH_AUTH_SOCK", "VSCODE_GIT_IPC_HANDLE", "CLAUDECODE"],
      ...[
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SUBAGENT_MODEL",
        "CLAUDE_CODE_MESSAGING_TOKEN",
        "CLAUDE_PID",
      ],
      ...["CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_SANDBOX_NETWORK_DISABLED"],
      ...["GEMINI_CLI", "GEMINI_SESSION_ID", "QWEN_CODE", "QWEN_CODE_PROMPT_ID", "COPILOT_CLI", "OPENCODE"],
      ...["COPILOT_CLI_BINARY_VERSION", "GROK_SESSION_ID", "GROK_HOOK_NAME", "DROID_PROJECT_DIR"],
      ...["CURSOR_AGENT", "CURSOR_TRACE_ID", "HERMES_SESSION_ID", "TERMINAL_CWD"],
    ].map((name) => [name, "leak"]),
  );
  expect(Object.values(clean(secret))).not.toContain("leak");
});

test("what the user's own set-up needs is kept", () => {
  const own = {
    HTTPS_PROXY: "http://proxy:1",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    GIT_CONFIG_GLOBAL: "/h/gitconfig",
    CODEX_HOME: "/c",
    CLAUDE_CONFIG_DIR: "/d",
    CLAUDE_CODE_OAUTH_TOKEN: "t",
    CLAUDE_CODE_USE_BEDROCK: "1",
    AWS_PROFILE: "p",
    GEMINI_CLI_HOME: "/g",
    GEMINI_API_KEY: "k",
    QWEN_HOME: "/q",
    COPILOT_HOME: "/o",
    COPILOT_PROVIDER_BASE_URL: "http://model",
    CURSOR_API_KEY: "k",
    OPENCODE_CONFIG: "/opencode.json",
    FACTORY_API_KEY: "k",
    GROK_HOME: "/x",
    HERMES_HOME: "/m",
    LANG: "C.UTF-8",
  };
  expect(clean(own)).toMatchObject(own);
});

test("A12 no program is taken from the checkout: neither relative nor inner directories are on PATH", () => {
  const { PATH = "" } = clean({
    PATH: "node_modules/.bin:.:/repo/node_modules/.bin:/repo:/repository/bin:/usr/bin",
  });
  const directories = PATH.split(":");
  expect(directories.slice(0, 2)).toEqual(["/repository/bin", "/usr/bin"]);
  expect(
    directories.filter((directory) => !directory.startsWith("/") || /^\/repo(\/|$)/.test(directory)),
  ).toEqual([]);
});

describe("A12 credentials of Claude Code", () => {
  const session = { ANTHROPIC_API_KEY: "session", ANTHROPIC_BASE_URL: "http://session" };
  const env = (files: Record<string, string>, more: Record<string, string> = {}, anthropicApiKey?: string) =>
    claudeCode.environment(
      { HOME: "/h", ...session, ...more },
      { ...task, reasoning: "fast", ...(anthropicApiKey === undefined ? {} : { anthropicApiKey }) },
      { flags: new Set(), files: new Map(Object.entries(files)), helpers: new Set() },
    );

  test("of the environment go when Claude Code has a login of its own", () => {
    for (const files of [
      { "/h/.claude/.credentials.json": "{}" },
      { "/h/.claude.json": '{"oauthAccount":{"emailAddress":"a@b"}}' },
      { "/h/.claude/settings.json": '{"apiKeyHelper":"x"}' },
      { "/h/.claude/settings.json": '{"env":{"ANTHROPIC_AUTH_TOKEN":"x"}}' },
    ])
      expect(Object.keys(env(files)).filter((name) => name.startsWith("ANTHROPIC_"))).toEqual([]);
    expect(env({}, { CLAUDE_CODE_OAUTH_TOKEN: "t" }).ANTHROPIC_API_KEY).toBeUndefined();
  });

  test("of the environment stay when there are no others", () => {
    expect(env({ "/h/.claude.json": '{"numStartups":3}' })).toMatchObject(session);
    expect(env({ "/h/.claude/settings.json": "broken" })).toMatchObject(session);
    expect(env({ "/h/.claude/.credentials.json": "{}" }, { CLAUDE_CODE_USE_VERTEX: "1" })).toMatchObject(
      session,
    );
  });

  test("configured for roborev win over all", () => {
    const child = env({ "/h/.claude/.credentials.json": "{}" }, {}, "mine");
    expect(child.ANTHROPIC_API_KEY).toBe("mine");
    expect(child.ANTHROPIC_BASE_URL).toBeUndefined();
    expect(child.CLAUDE_NO_SOUND).toBe("1");
  });
});
