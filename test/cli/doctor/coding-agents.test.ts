import { expect, test } from "bun:test";
import { judgeHookReport, judgeSkills } from "../../../src/cli/doctor/coding-agents.ts";
import type { Report } from "../../../src/install/doctor/doctor.ts";
import type { ProgramStatus, SkillState } from "../../../src/skills/status.ts";

const agent = (name: string, more: Partial<Report["agents"][number]> = {}): Report["agents"][number] => ({
  ...{ agent: name, name, detected: true, installed: true, config: "/c", registrations: [], findings: [] },
  ...more,
});

test("problems of a coding agent's hooks are errors with its name, and agents without hooks are noted", () => {
  const findings: Report["findings"] = [
    {
      code: "dead-program",
      severity: "problem",
      message: "its hooks run /x",
      repair: "roborev agent-hook install",
    },
    { code: "file", severity: "note", message: "not told here" },
  ];
  const report = {
    healthy: false,
    agents: [agent("claude", { findings }), agent("codex", { installed: false })],
    findings: [],
  };
  expect(judgeHookReport(report)).toMatchObject({
    summary: "Claude Code reminded",
    findings: [
      { severity: "error", code: "hook-dead-program", message: "claude: its hooks run /x" },
      { severity: "note", code: "not-installed", message: "Codex is here and not reminded" },
    ],
  });
});

test("no coding agent at all is nothing to mend, none with hooks is a warning, and what is told elsewhere is not told twice", () => {
  const of = (code: string): Report["findings"] => [
    { code, severity: "problem", message: code, repair: "r" },
  ];
  const judge = (code: string) =>
    judgeHookReport({ healthy: false, agents: [], findings: of(code) }).findings;
  expect(judge("nothing-detected")).toMatchObject([{ severity: "note" }]);
  expect(judge("nothing-installed")).toMatchObject([{ severity: "warning", repair: "r" }]);
  for (const code of ["environment", "config"]) expect(judge(code)).toEqual([]);
});

const program = (name: string, ...states: SkillState[]): ProgramStatus => ({
  ...{ agent: name, name, directory: "/s" },
  skills: states.map((state, index) => ({
    name: `skill-${index}`,
    state,
    path: "/s",
    ...(state === "refused" ? { problem: "a link" } : {}),
  })),
});

test("outdated skills are a warning that --fix mends, unreadable ones an error, edited ones somebody's choice", () => {
  expect(judgeSkills([program("claude", "installed"), program("codex", "no_agent")])).toMatchObject({
    summary: "Claude Code",
    findings: [],
  });
  expect(
    judgeSkills([program("claude", "installed", "outdated"), program("codex", "edited", "refused")]).findings,
  ).toMatchObject([
    { severity: "warning", repair: "roborev skills update", mend: { do: "skills", agents: ["claude"] } },
    { severity: "error", message: "a skill of codex cannot be read: a link" },
    { severity: "note", message: "codex: skill-0 edited, and left as they are" },
  ]);
});
