import { expect, test } from "bun:test";
import { daemonEnvironment, launchDaemon } from "../../src/client/start.ts";
import { runMarkName } from "../../src/lib/run-mark.ts";
import { tempDir } from "../support/temp.ts";
import { testPaths } from "./holder.ts";

test("P13 neither a git hook's repository nor a reviewer's job reaches the daemon", () => {
  const env = {
    GIT_DIR: ".git",
    GIT_INDEX_FILE: "x",
    ROBOREV_REVIEW_JOB: "1",
    ROBOREV_FIX_JOB: "2",
    [runMarkName]: "x",
    PATH: "/bin",
    EMPTY: undefined,
  };
  expect(daemonEnvironment(env)).toEqual({ PATH: "/bin" });
});

test("a test runner or script that only imports this code cannot start a daemon", async () => {
  using dir = tempDir();
  const error = await launchDaemon(testPaths(dir.path)).catch((caught) => caught);
  expect(error).toMatchObject({ code: "E_EPHEMERAL" });
});
