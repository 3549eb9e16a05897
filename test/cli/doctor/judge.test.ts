import { describe, expect, test } from "bun:test";
import { judgeConfiguration } from "../../../src/cli/doctor/configuration.ts";
import { type DaemonView, judgeDaemon } from "../../../src/cli/doctor/daemon.ts";
import { judgeDataDirectory, type Node, sizeText } from "../../../src/cli/doctor/data-directory.ts";
import { judgeEnvironment } from "../../../src/cli/doctor/environment.ts";
import type { Check } from "../../../src/cli/doctor/finding.ts";
import { judgeProgram } from "../../../src/cli/doctor/program.ts";
import { judgeRecentCommits, type LoggedCommit } from "../../../src/cli/doctor/recent-commits.ts";
import { judgeReviewers, type ReviewersFound } from "../../../src/cli/doctor/reviewers.ts";
import { judgeDatabase, judgeHookState } from "../../../src/cli/doctor/stored-data.ts";
import { openings } from "../../../src/config/environment.ts";
import { apiVersion, version } from "../../../src/lib/version.ts";

/** `error code: repair`, the short form of what a check found. */
const found = ({ findings }: Check) =>
  findings.map(
    ({ severity, code, repair }) => `${severity} ${code}${repair === undefined ? "" : `: ${repair}`}`,
  );

describe("the data directory", () => {
  const node = (more: Partial<Node> = {}): Node => ({
    path: "/d",
    type: "directory",
    mode: 0o700,
    mine: true,
    ...more,
  });

  test("is fine when it is private, and when it is not there yet", () => {
    expect(found(judgeDataDirectory({ directory: node(), entries: [], freeBytes: 5e9 }))).toEqual([]);
    expect(
      found(judgeDataDirectory({ directory: node({ type: "missing", mode: 0, mine: false }), entries: [] })),
    ).toEqual([]);
  });

  test("that others can enter is an error, a file in it a warning, and both can be mended", () => {
    const check = judgeDataDirectory({
      directory: node({ mode: 0o755 }),
      entries: [
        node({ path: "/d/re views.db", type: "file", mode: 0o644 }),
        node({ path: "/d/agent-hook", mode: 0o750 }),
      ],
    });
    expect(found(check)).toEqual([
      "error open-directory: chmod 700 /d",
      "warning open-file: chmod 600 '/d/re views.db'",
      "warning open-file: chmod 700 /d/agent-hook",
    ]);
    expect(check.findings[1]?.mend).toEqual({ do: "chmod", path: "/d/re views.db", mode: 0o600 });
  });

  test("of somebody else, or that is a file, is an error that --fix leaves alone", () => {
    for (const directory of [node({ mine: false, mode: 0o777 }), node({ type: "other" })]) {
      const { findings } = judgeDataDirectory({ directory, entries: [] });
      expect(findings).toMatchObject([{ severity: "error" }]);
      expect(findings[0]?.mend).toBeUndefined();
    }
    const foreign = {
      directory: node(),
      entries: [node({ path: "/d/x", type: "file", mode: 0o644, mine: false })],
    };
    expect(found(judgeDataDirectory(foreign))).toEqual(['error foreign-file: sudo chown "$USER" /d/x']);
  });

  test.each([
    [100, "error disk"],
    [50 * 1024 ** 2, "warning disk"],
  ])("with %d bytes left on its disk: %s", (freeBytes, expected) => {
    expect(found(judgeDataDirectory({ directory: node(), entries: [], freeBytes }))[0]).toStartWith(expected);
  });

  test("sizes are told in units that one can read", () => {
    expect([0, 1023, 1536, 152 * 1024, 7.25 * 1024 ** 3].map(sizeText)).toEqual([
      "0 bytes",
      "1023 bytes",
      "1.5 KiB",
      "152 KiB",
      "7.3 GiB",
    ]);
  });
});

test("a configuration that is refused is an error, one with mere mistakes a warning", () => {
  const file = {
    scope: "global" as const,
    file: "/c",
    exists: true,
    problems: ["/c:1:1: bad"],
    notes: ["old"],
  };
  const repair = "Mend /c by hand, then: roborev config validate";
  expect(found(judgeConfiguration([{ ...file, refused: true }]))).toEqual([
    `error config: ${repair}`,
    "note config-note",
  ]);
  expect(found(judgeConfiguration([{ ...file, refused: false }]))[0]).toBe(`warning config: ${repair}`);
});

test("a damaged database and an unreadable state are errors, what is not there yet is none", () => {
  const paths = { database: "/d/reviews.db", hookState: "/d/state.json" };
  const none = { database: { state: "missing" as const }, hookState: { state: "missing" as const } };
  expect([...found(judgeDatabase(none, paths)), ...found(judgeHookState(none, paths))]).toEqual([]);
  const bad = {
    database: { state: "damaged" as const, problem: "page 2" },
    hookState: { state: "damaged" as const, problem: "no JSON" },
  };
  expect(judgeDatabase(bad, paths).findings).toMatchObject([
    {
      severity: "error",
      message: "/d/reviews.db is damaged: page 2",
      repair: expect.stringContaining("roborev daemon stop"),
    },
  ]);
  expect(judgeHookState(bad, paths).findings[0]).toMatchObject({
    severity: "error",
    repair: expect.stringContaining("roborev daemon restart"),
  });
});

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

describe("the last commits", () => {
  const now = new Date("2026-03-01T12:00:00Z");
  const entry = (outcome: LoggedCommit["outcome"], more: Partial<LoggedCommit> = {}): LoggedCommit => ({
    ...{ ts: "2026-03-01T11:59:00Z", repo: "/r", outcome, message: outcome === "ok" ? "job 1" : "no daemon" },
    ...more,
  });
  const judge = (...entries: LoggedCommit[]) => judgeRecentCommits({ entries, waiting: 0 }, now);

  test("that failed are history once a later one of the same repository got through", () => {
    expect(found(judge(entry("fail"), entry("ok")))).toEqual([]);
    expect(
      judge(entry("ok"), entry("fail"), entry("fail"), entry("ok", { repo: "/other" })).findings,
    ).toMatchObject([
      {
        severity: "warning",
        message: "the last 2 commits in /r did not get to the daemon at once, 1m00s ago: no daemon",
      },
    ]);
  });

  test("that failed a week ago are not told of any more", () => {
    expect(found(judge(entry("fail", { ts: "2026-02-20T00:00:00Z" })))).toEqual([]);
  });

  test("that wait for a daemon are a reason to start one", () => {
    expect(judgeRecentCommits({ entries: [], waiting: 2 }, now).findings).toMatchObject([
      { message: "2 commits wait for a daemon", mend: { do: "start-daemon" } },
    ]);
  });
});

describe("reviewers", () => {
  const here = (more: Partial<ReviewersFound> = {}): ReviewersFound => ({
    agents: [
      { name: "codex", available: true, path: "/b/codex" },
      { name: "gemini", available: false },
    ],
    default_agent: "codex",
    launches: {},
    dangling: {},
    ...more,
  });

  test("nobody is an error, and told once where a configuration is refused", () => {
    const none = here({
      default_agent: null,
      default_agent_problem: "none installed",
      pathProblem: "no shell",
    });
    expect(found(judgeReviewers(none, false))).toEqual([
      "error no-reviewer: Then ask it for a word: roborev check-agents",
      "note login-path",
    ]);
    expect(found(judgeReviewers(none, true))).toEqual([]);
  });

  test("the chosen one that will not start is an error, another one a warning, a link to nowhere too", () => {
    const broken = { path: "/b/codex", interpreter: { name: "node", found: false } };
    expect(found(judgeReviewers(here({ launches: { codex: broken } }), false))).toEqual([
      "error reviewer-start: roborev check-agents --agent codex",
    ]);
    expect(found(judgeReviewers(here({ launches: { gemini: broken } }), false))[0]).toStartWith(
      "warning reviewer-start",
    );
    expect(found(judgeReviewers(here({ dangling: { gemini: ["/b/gemini"] } }), false))[0]).toStartWith(
      "warning reviewer-link",
    );
  });
});

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
