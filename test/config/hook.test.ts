import { describe, expect, test } from "bun:test";
import {
  configuredHookSettings,
  type HookSettingsInput,
  hookSection,
  hookSectionNames,
  resolveHookSettings,
  resolveHookValues,
} from "../../src/config/hook.ts";

const resolve = (input: Partial<HookSettingsInput>) =>
  resolveHookSettings({ flags: {}, env: {}, section: {}, sectionName: "agent_hook", ...input });

test("without any setting the documented defaults hold", () => {
  expect(resolve({})).toEqual({
    turnThreshold: 5,
    commitThreshold: 0,
    failedReviewThreshold: 4,
    instruction: "",
    enabled: true,
    cursorFollowup: false,
    diagnostics: [],
  });
});

test("120 flags beat variables, variables beat the section, the section beats the defaults", () => {
  const section = {
    turn_threshold: 7,
    commit_threshold: 7,
    failed_review_threshold: 7,
    instruction: "section",
  };
  const env = { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: " 8 ", ROBOREV_AGENT_HOOK_INSTRUCTION: "variable" };
  const flags = { turnThreshold: 9 };
  expect(resolve({ section })).toMatchObject({ turnThreshold: 7, instruction: "section" });
  expect(resolve({ section, env })).toMatchObject({
    turnThreshold: 8,
    commitThreshold: 7,
    instruction: "variable",
  });
  expect(resolve({ section, env, flags })).toMatchObject({ turnThreshold: 9, failedReviewThreshold: 7 });
});

test("120 an explicit 0 disables a trigger, wherever it is set", () => {
  const section = { turn_threshold: 3 };
  expect(resolve({ section, flags: { turnThreshold: 0 } }).turnThreshold).toBe(0);
  expect(resolve({ section, env: { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "0" } }).turnThreshold).toBe(0);
  expect(resolve({ section: { failed_review_threshold: 0 } }).failedReviewThreshold).toBe(0);
});

describe("120 W17: a value that is no whole number of 0 or more", () => {
  test.each(["five", "5.0", "0x5", "1e3", "--3", "99999999999999999999", "-1"])(
    "in a variable (%j) is passed over with one diagnostic, and the section decides",
    (value) => {
      const settings = resolve({
        env: { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: value },
        section: { turn_threshold: 7 },
      });
      expect(settings.turnThreshold).toBe(7);
      expect(settings.diagnostics).toEqual([
        `ROBOREV_AGENT_HOOK_TURN_THRESHOLD is ignored: "${value}" is not a whole number of 0 or more`,
      ]);
    },
  );

  test("in the file leaves the default and says so", () => {
    const settings = resolve({ section: { failed_review_threshold: -2 } });
    expect(settings.failedReviewThreshold).toBe(4);
    expect(settings.diagnostics).toEqual([
      '[agent_hook] failed_review_threshold is ignored: "-2" is not a whole number of 0 or more',
    ]);
  });

  test("below a source that decides is not even looked at", () => {
    const env = { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "five" };
    expect(resolve({ flags: { turnThreshold: 2 }, env }).diagnostics).toEqual([]);
  });

  test("is shown on one line, cut", () => {
    const [line] = resolve({
      env: { ROBOREV_AGENT_HOOK_COMMIT_THRESHOLD: `a\n\u001b[31m${"x".repeat(500)}` },
    }).diagnostics;
    expect(line?.length).toBeLessThan(160);
    expect(line).not.toMatch(/[\u0000-\u001f]/);
  });
});

test("an empty variable is as good as none", () => {
  const env = { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: " ", ROBOREV_AGENT_HOOK_INSTRUCTION: "" };
  const settings = resolve({ env, section: { turn_threshold: 2, instruction: "mine" } });
  expect(settings).toMatchObject({ turnThreshold: 2, instruction: "mine", diagnostics: [] });
});

test("a blank instruction stands for the built-in text; an empty flag beats a section's text", () => {
  expect(resolve({ section: { instruction: " \n\t" } }).instruction).toBe("");
  expect(resolve({ flags: { instruction: "" }, section: { instruction: "mine" } }).instruction).toBe("");
});

test("120 Factory Droid has its own section and variables and ignores the others", () => {
  const config = { agent_hook: { turn_threshold: 1 }, droid_hook: { turn_threshold: 2 } };
  expect(hookSection(config, "agent_hook")).toEqual({ turn_threshold: 1 });
  expect(hookSection(config, "droid_hook")).toEqual({ turn_threshold: 2 });
  const env = { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "8", ROBOREV_DROID_HOOK_TURN_THRESHOLD: "9" };
  expect(resolve({ env, sectionName: "droid_hook" }).turnThreshold).toBe(9);
  expect(resolve({ env, sectionName: "agent_hook" }).turnThreshold).toBe(8);
});

test("D29: the hook is switched off by variable or section", () => {
  expect(resolve({ env: { ROBOREV_AGENT_HOOK: "0" } }).enabled).toBe(false);
  expect(resolve({ env: { ROBOREV_AGENT_HOOK: "0" }, sectionName: "droid_hook" }).enabled).toBe(false);
  expect(resolve({ env: { ROBOREV_AGENT_HOOK: "1" } }).enabled).toBe(true);
  expect(resolve({ env: { ROBOREV_AGENT_HOOK: "" } }).enabled).toBe(true);
  expect(resolve({ section: { enabled: false } }).enabled).toBe(false);
  expect(resolve({ env: { ROBOREV_AGENT_HOOK: "1" }, section: { enabled: false } }).enabled).toBe(false);
});

test("D29: every word for no switches off, for every harness, without a remark", () => {
  for (const ROBOREV_AGENT_HOOK of ["0", "off", "OFF", "false", "False", "no", " no "])
    for (const sectionName of hookSectionNames)
      expect(resolve({ env: { ROBOREV_AGENT_HOOK }, sectionName })).toMatchObject({
        enabled: false,
        diagnostics: [],
      });
});

test("any other word in that variable switches nothing off, and is told", () => {
  const { enabled, diagnostics } = resolve({ env: { ROBOREV_AGENT_HOOK: "never\n" } });
  expect([enabled, diagnostics]).toEqual([
    true,
    ['ROBOREV_AGENT_HOOK is ignored: "never" does not switch the hook off; 0, off, false and no do'],
  ]);
});

test("every value says who decided it, also where a bad one was passed over on the way", () => {
  const { values } = resolveHookValues({
    flags: { turnThreshold: 9 },
    env: {
      ROBOREV_DROID_HOOK_TURN_THRESHOLD: "8",
      ROBOREV_DROID_HOOK_COMMIT_THRESHOLD: " 0 ",
      ROBOREV_DROID_HOOK_FAILED_REVIEW_THRESHOLD: "-1",
      ROBOREV_DROID_HOOK_INSTRUCTION: " ",
      ROBOREV_AGENT_HOOK: "0",
    },
    section: { failed_review_threshold: 2, instruction: " " },
    sectionName: "droid_hook",
  });
  expect(values).toEqual({
    turn_threshold: { value: 9, from: "flag" },
    commit_threshold: {
      value: 0,
      from: "environment",
      variable: "ROBOREV_DROID_HOOK_COMMIT_THRESHOLD",
    },
    failed_review_threshold: { value: 2, from: "section" },
    instruction: { value: "", from: "default" },
    enabled: { value: false, from: "environment", variable: "ROBOREV_AGENT_HOOK" },
    cursor_followup: { value: false, from: "default" },
  });
});

test("a call without flags and variables has the settings of its section, resolved once a configuration", () => {
  const config = { agent_hook: { turn_threshold: 7 }, droid_hook: { turn_threshold: 8 } };
  const settings = configuredHookSettings(config, "agent_hook");
  expect(settings).toEqual(resolve({ section: config.agent_hook }));
  expect(configuredHookSettings(config, "agent_hook")).toBe(settings);
  expect(configuredHookSettings(config, "droid_hook").turnThreshold).toBe(8);
  expect(configuredHookSettings({ ...config }, "agent_hook")).not.toBe(settings);
});
