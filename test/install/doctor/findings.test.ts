import { describe, expect, test } from "bun:test";
import { claude } from "../../../src/harness/claude.ts";
import { codex } from "../../../src/harness/codex.ts";
import type { Entry } from "../../../src/install/doctor/entries.ts";
import { findingsOf, type Survey } from "../../../src/install/doctor/findings.ts";

const command = "/opt/roborev agent-hook run --agent claude '--source=roborev-agent-hook'";
const entry = (event: string, more: Partial<Entry> = {}): Entry => ({
  event,
  matcher: event === "Stop" ? undefined : "Bash",
  command,
  timeout: 10,
  ours: true,
  ...more,
});
const wanted = [entry("PreToolUse"), entry("PostToolUse"), entry("Stop")];
const install = "roborev agent-hook install --agent claude";

const survey = (more: Partial<Survey> = {}): Survey => ({
  harness: claude,
  detected: true,
  asked: false,
  path: "/h/settings.json",
  recorded: false,
  strays: [],
  before: wanted,
  after: wanted,
  changes: false,
  remarks: [],
  program: { path: "/opt/roborev", is: { state: "ours" } },
  borrowed: [],
  install,
  ...more,
});
const codes = (more: Partial<Survey>) =>
  findingsOf(survey(more)).map(({ code, severity }) => `${severity} ${code}`);

test("hooks as install writes them are no finding", () => {
  expect(findingsOf(survey())).toEqual([]);
});

describe("drift is told by what differs, with the command that repairs it", () => {
  test.each<[string, Entry[], string]>([
    ["missing", [entry("PreToolUse")], "PostToolUse, Stop are not registered in /h/settings.json"],
    [
      "duplicate",
      [...wanted, entry("Stop"), entry("Stop")],
      "Stop is registered more than once in /h/settings.json",
    ],
    [
      "surplus",
      [...wanted, entry("SessionEnd")],
      "SessionEnd is registered without need in /h/settings.json",
    ],
    [
      "outdated-command",
      wanted.map((one) => ({ ...one, command: "roborev agent-hook run" })),
      "PreToolUse, PostToolUse, Stop are registered with another command than install writes in /h/settings.json",
    ],
    [
      "outdated-matcher",
      [entry("PreToolUse", { matcher: "Edit" }), ...wanted.slice(1)],
      "PreToolUse is registered with another matcher than install writes in /h/settings.json",
    ],
    [
      "outdated-timeout",
      [...wanted.slice(0, 2), entry("Stop", { timeout: 5 })],
      "Stop is registered with another time-out than the rest in /h/settings.json",
    ],
  ])("%s", (code, before, message) => {
    expect(findingsOf(survey({ before, changes: true }))).toEqual([
      { code, severity: "problem", message, repair: install, fixable: true },
    ]);
  });

  test("and what no comparison explains is told as well", () => {
    expect(codes({ changes: true })).toEqual(["problem differs"]);
  });
});

test("a program that is gone or of another release is told once, not as another command besides", () => {
  const before = wanted.map((one) => ({ ...one, command: "/old/roborev agent-hook run" }));
  const dead = { path: "/old/roborev", is: { state: "dead", why: "is not there any more" } } as const;
  expect(codes({ before, changes: true, program: dead, trial: "cannot start" })).toEqual([
    "problem dead-program",
  ]);
  const other = { path: "/old/roborev", is: { state: "other", version: "roborev v0.0.1" } } as const;
  expect(findingsOf(survey({ before, changes: true, program: other }))[0]?.message).toBe(
    "its hooks run /old/roborev, which is roborev v0.0.1, not this release",
  );
  const open = { path: "/tmp/roborev", is: { state: "open", path: "/tmp" } } as const;
  expect(findingsOf(survey({ program: open }))).toMatchObject([
    { code: "open-program", repair: "chmod o-w /tmp" },
  ]);
});

describe("an agent without our hooks", () => {
  const none = { before: [], after: [] };
  test("is a note when it is merely there", () => expect(codes(none)).toEqual(["note not-installed"]));
  test("is a problem when it was asked for", () =>
    expect(codes({ ...none, asked: true })).toEqual(["problem not-installed"]));
  test("is a problem when they were installed and something dropped them (anthropics/claude-code#44631)", () =>
    expect(codes({ ...none, recorded: true })).toEqual(["problem dropped"]));
  test("needs its own when it runs another's, where they stay silent (D26)", () => {
    expect(codes({ ...none, borrowed: ["Claude Code"] })).toEqual(["problem borrowed"]);
    expect(codes({ borrowed: ["Claude Code"] })).toEqual(["note borrowed"]);
    expect(codes({ ...none, borrowed: ["Claude Code"], detected: false })).toEqual(["note not-installed"]);
  });
});

test("hooks in a file that the agent does not read now are told with the one that it reads", () => {
  const strays = ["/h/old.json"];
  expect(codes({ strays })).toEqual(["problem stray"]);
  expect(findingsOf(survey({ strays, before: [] }))).toMatchObject([
    {
      code: "stray",
      message: "hooks of roborev stand in /h/old.json, but it reads /h/settings.json",
      repair: install,
    },
  ]);
});

test("a wrapper of somebody else is a problem beside ours, because events count twice, and a note alone", () => {
  const wrapper = entry("Stop", { command: "sh -c 'roborev agent-hook run --agent claude'", ours: false });
  expect(codes({ before: [...wanted, wrapper], after: [...wanted, wrapper] })).toEqual(["problem wrapper"]);
  expect(codes({ before: [wrapper] })).toEqual(["note not-installed", "note wrapper"]);
  expect(codes({ before: [...wanted, entry("Stop", { command: "echo roborev", ours: false })] })).toEqual([]);
});

test("hooks that wait for the user's approval are a problem, an approval that cannot be read is a note", () => {
  const approval = (state: "approved" | "pending" | "changed") =>
    codes({ harness: codex, approval: { state } });
  expect(approval("approved")).toEqual([]);
  expect(approval("pending")).toEqual(["problem not-approved"]);
  expect(approval("changed")).toEqual(["problem approval-changed"]);
  const unknown = findingsOf(
    survey({ harness: codex, approval: { state: "unknown", why: "codex is not on PATH" } }),
  );
  expect(unknown).toMatchObject([
    { code: "approval-unknown", severity: "note", repair: expect.stringContaining("/hooks") },
  ]);
});

test("a setting that switches hooks off and a command that does not answer are problems", () => {
  expect(codes({ switchedOff: "disableAllHooks is true in /h/settings.json" })).toEqual([
    "problem switched-off",
  ]);
  expect(codes({ trial: "The hook command ended with exit code 3" })).toEqual(["problem trial"]);
});

test("a file that cannot be read is the only finding, and is not repaired by installing", () => {
  expect(findingsOf(survey({ trouble: "/h/settings.json:1:2: bad", before: [], recorded: true }))).toEqual([
    {
      code: "unreadable",
      severity: "problem",
      message: "/h/settings.json:1:2: bad",
      repair: `Repair /h/settings.json by hand, then: ${install}`,
    },
  ]);
});
