import { describe, expect, test } from "bun:test";
import { judgeEnvironment } from "../../../src/cli/doctor/environment.ts";
import { openings } from "../../../src/config/environment.ts";
import { found } from "./found.ts";

describe("the environment", () => {
  test.each(Object.keys(openings))("%s opens every roborev to strangers: an error", (name) => {
    expect(found(judgeEnvironment({ variables: { [name]: "1" } }))).toEqual([
      `error environment: unset ${name}`,
    ]);
  });

  test("variables that redirect or silence roborev are told, misspelt ones named, others of ours are fine", () => {
    const judge = (variables: Record<string, string>) => found(judgeEnvironment({ variables }));
    expect(judge({ ROBOREV_DATADIR: "/x" })).toEqual(["warning misspelt: roborev help environment"]);
    expect(judge({ ROBOREV_AGENT_HOOK: "off" })).toEqual(["warning reminders-off: unset ROBOREV_AGENT_HOOK"]);
    expect(judge({ ROBOREV_SERVER: "unix:///s" })).toEqual(["note server"]);
    expect(judge({ ROBOREV_REVIEW_JOB: "1" })).toEqual(["warning in-reviewer: unset ROBOREV_REVIEW_JOB"]);
    expect(judge({ ROBOREV_DATA_DIR: "/x", ROBOREV_TOTALLY_MINE: "1", ROBOREV_AGENT_HOOK: "1" })).toEqual([]);
    expect(found(judgeEnvironment({ variables: {}, defaultInUse: "/home/.roborev" }))[0]).toStartWith(
      "warning data-dir",
    );
  });
});
