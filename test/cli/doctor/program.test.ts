import { describe, expect, test } from "bun:test";
import { judgeProgram } from "../../../src/cli/doctor/program.ts";
import { found } from "./found.ts";

describe("the program", () => {
  const fine = {
    version: "1",
    running: { path: "/b/roborev", isThere: true },
    onPath: { launch: { path: "/b/roborev" } },
    dangling: [],
  };

  test("that is the one on PATH is fine, from source too", () => {
    expect(found(judgeProgram(fine))).toEqual([]);
    expect(found(judgeProgram({ version: "dev", dangling: [] }))).toEqual([]);
  });

  test.each([
    [
      "replaced while it runs",
      { ...fine, running: { path: "/b/roborev", isThere: false } },
      "error program-moved",
    ],
    [
      "not on PATH",
      { version: "1", running: fine.running, dangling: [] },
      'warning not-on-path: export PATH=/b:"$PATH"',
    ],
    [
      "another on PATH",
      { ...fine, onPath: { launch: { path: "/a/roborev" }, version: "roborev 0" } },
      "warning program-version: rm /a/roborev",
    ],
    [
      "a stand-in that leads nowhere",
      {
        ...fine,
        onPath: { launch: { path: "/s", shim: { manager: "mise", answer: "leads nowhere" as const } } },
      },
      "error program-shim",
    ],
    ["a link to nowhere", { ...fine, dangling: ["/l/roborev"] }, "warning program-link: rm /l/roborev"],
    ["older than a release", { ...fine, release: { available: "v2 is there" } }, "note release"],
    [
      "with a bad mirror",
      { ...fine, release: { problem: "no address" } },
      "warning update-address: unset ROBOREV_UPDATE_URL",
    ],
    ["open to everybody", { ...fine, open: "/b" }, "error program-open: chmod o-w /b"],
  ])("%s", (_, state, expected) => {
    expect(found(judgeProgram(state))).toEqual([expect.stringContaining(expected)]);
  });
});
