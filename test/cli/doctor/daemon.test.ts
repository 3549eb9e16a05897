import { describe, expect, test } from "bun:test";
import { type DaemonView, judgeDaemon } from "../../../src/cli/doctor/daemon.ts";
import { apiVersion, version } from "../../../src/lib/version.ts";
import { found } from "./found.ts";

describe("the daemon", () => {
  const here = { dataDir: "/d", named: false };
  const running = { state: "running" as const, version, apiVersion, dataDir: "/d", unhealthy: [] };
  const gone = { state: "not-running" as const, lastLine: "", held: false, leftSocket: false };
  const cases: [string, DaemonView, string[]][] = [
    ["that answers", running, []],
    ["of another version", { ...running, version: "9" }, ["warning daemon-version: roborev daemon restart"]],
    ["of another API level", { ...running, apiVersion: 99 }, ["error daemon-level: roborev daemon restart"]],
    [
      "with a stalled worker",
      { ...running, unhealthy: [{ name: "workers", healthy: false, message: "job 1" }] },
      ["error daemon-workers: roborev status"],
    ],
    ["that is not there", gone, ["warning daemon-not-running: roborev daemon start"]],
    [
      "whose start failed",
      { ...gone, lastLine: "Error: it broke" },
      ["error daemon-not-running: roborev daemon start"],
    ],
    [
      "that holds the lock and does not listen",
      { ...gone, held: true },
      ["error daemon-silent: roborev daemon restart"],
    ],
    ["that hangs", { state: "hung" }, ["error daemon-hung: roborev daemon restart"]],
    [
      "that may not be reached",
      { state: "unavailable", why: "denied" },
      ["error daemon-unavailable: Try outside of a sandbox; else: roborev daemon restart"],
    ],
  ];
  test.each(cases)("%s", (_, view, expected) => {
    expect(found(judgeDaemon(view, here))).toEqual(expected);
  });

  test("that was named by its address is not started in its place", () => {
    const [finding] = judgeDaemon(gone, { ...here, named: true }).findings;
    expect(finding).toMatchObject({ severity: "error" });
    expect(finding?.mend).toBeUndefined();
  });
});
