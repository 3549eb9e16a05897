import { expect, test } from "bun:test";
import { type OffSources, offLines } from "../../../src/cli/hook-status/off-lines.ts";
import { screen } from "./report.ts";

const file = "/home/dev/.roborev/config.toml";
const lines = (sources: Partial<OffSources>) => offLines({ env: {}, config: {}, file, ...sources });
const zero = { turn_threshold: 0, failed_review_threshold: 0 };

test("while reminders are on, and when a variable means something else, nothing is said", () => {
  expect(lines({})).toEqual([]);
  const one = { agent_hook: { ...zero, commit_threshold: 1 }, droid_hook: { enabled: true } };
  expect(lines({ env: { ROBOREV_AGENT_HOOK: "maybe" }, config: one })).toEqual([]);
});

test("the kill switch is one line, for it is the same for all", () => {
  const off = { enabled: false };
  const config = { agent_hook: off, droid_hook: off };
  expect(lines({ env: { ROBOREV_AGENT_HOOK: "off" }, config })).toEqual([
    "Reminders are off: ROBOREV_AGENT_HOOK=off in this shell",
  ]);
});

test("the file is named with its section, and Factory Droid where it differs", () => {
  const off = { enabled: false };
  expect(lines({ config: { agent_hook: off } })).toEqual([
    `Reminders are off, except for Factory Droid: enabled = false in [agent_hook] of ${file}`,
  ]);
  expect(lines({ config: { droid_hook: off } })).toEqual([
    `Reminders for Factory Droid are off: enabled = false in [droid_hook] of ${file}`,
  ]);
  expect(lines({ config: { agent_hook: off, droid_hook: zero } })).toEqual([
    `Reminders are off: enabled = false in [agent_hook] of ${file}`,
    `Reminders for Factory Droid are off: every threshold is 0 by [droid_hook] of ${file}`,
  ]);
});

test("thresholds of 0 are told with all who set one of them", () => {
  const env = {
    ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "0",
    ROBOREV_DROID_HOOK_TURN_THRESHOLD: "0",
    ROBOREV_DROID_HOOK_FAILED_REVIEW_THRESHOLD: "0",
  };
  expect(lines({ env, config: { agent_hook: { failed_review_threshold: 0 } } })).toEqual([
    `Reminders are off: every threshold is 0 by ROBOREV_AGENT_HOOK_TURN_THRESHOLD in this shell and [agent_hook] of ${file}`,
    "Reminders for Factory Droid are off: every threshold is 0 by ROBOREV_DROID_HOOK_TURN_THRESHOLD in this shell and ROBOREV_DROID_HOOK_FAILED_REVIEW_THRESHOLD in this shell",
  ]);
});

test("it stands on top of the screen", () => {
  expect(screen({ off: ["Reminders are off: so"] }).slice(0, 3)).toEqual([
    "Reminders are off: so",
    "",
    expect.stringContaining("No coding-agent session"),
  ]);
});
