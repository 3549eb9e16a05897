import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import fc from "fast-check";
import type { SnoozeRequest } from "../../src/daemon/api/requests.ts";
import { parseGoDuration } from "../../src/lib/duration.ts";
import { reply, type SeenRequest } from "../client/fake-daemon.ts";
import { git } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { place } from "./place.ts";
import { runCli } from "./run-cli.ts";

const route = "POST /api/agent-hook/snooze";
const now = new Date("2026-01-02T10:00:00.000Z");

/** A repository and a daemon that does as it is told. */
const obeying = () =>
  place({
    [route]: ({ body }: SeenRequest) => {
      const { enabled, snoozed_until } = body as SnoozeRequest;
      return enabled ? { snoozed: true, snoozed_until } : { snoozed: false };
    },
  });

test("on is the default, for eight hours from now, here", async () => {
  await using at = obeying();
  for (const argv of [["snooze"], ["snooze", "on"], ["snooze", " ON "]]) {
    const { seen } = at.daemon;
    seen.length = 0;
    expect(await at.cli(argv, { now })).toEqual({
      code: 0,
      stdout: `Reminders snoozed for 8h, until Jan 02 18:00 UTC, on "main" in ${at.repo.path}. Commits are reviewed as before.\n`,
      stderr: "",
    });
    expect(at.daemon.of(route)).toMatchObject([
      {
        body: {
          repo_path: at.repo.path,
          worktree_path: at.repo.path,
          branch: "main",
          enabled: true,
          snoozed_until: "2026-01-02T18:00:00.000Z",
        },
      },
    ]);
  }
});

test("60 the scope is this worktree and what its HEAD is, from any directory of it", async () => {
  await using at = obeying();
  using dir = tempDir();
  const tree = dir.join("tree");
  at.repo.git("worktree", "add", "-q", "-b", "topic/x", tree);
  mkdirSync(`${tree}/deep`);
  const scope = { repo_path: at.repo.path, worktree_path: tree };
  const on = await at.cli(["snooze", "-d", "90m"], { now, cwd: `${tree}/deep` });
  expect(on.stdout).toBe(
    `Reminders snoozed for 90m, until Jan 02 11:30 UTC, on "topic/x" in ${tree}. Commits are reviewed as before.\n`,
  );
  git(tree, "checkout", "-q", "--detach");
  const off = await at.cli(["snooze", "off"], { cwd: tree });
  expect(off.stdout).toBe(`Reminders resumed on detached HEAD in ${tree}. Commits are reviewed as before.\n`);
  expect(at.daemon.of(route).map(({ body }) => body)).toMatchObject([
    { ...scope, branch: "topic/x", enabled: true },
    { ...scope, branch: "", enabled: false },
  ]);
  expect(at.daemon.of(route)[1]?.body).not.toHaveProperty("snoozed_until");
});

test("60 a tag of the branch's name does not change the branch", async () => {
  await using at = obeying();
  at.repo.git("tag", "main");
  await at.cli(["snooze"]);
  expect(at.daemon.of(route)[0]?.body).toMatchObject({ branch: "main" });
});

test("--json has the answer and the scope, for both", async () => {
  await using at = obeying();
  const scope = { repo_path: at.repo.path, worktree_path: at.repo.path, branch: "main" };
  const on = await at.cli(["snooze", "--duration", "30m", "--json"], { now });
  expect(JSON.parse(on.stdout)).toEqual({
    snoozed: true,
    snoozed_until: "2026-01-02T10:30:00.000Z",
    ...scope,
  });
  const off = await at.cli(["snooze", "off", "--json"]);
  expect(JSON.parse(off.stdout)).toEqual({ snoozed: false, ...scope });
});

describe("61 rejected from the arguments alone, before anything is looked at", () => {
  const action = /^Error: action must be on or off/;
  const range = /^Error: --duration must be a positive time from 1s to 8760h, got /;
  const grammar = /^Error: invalid duration /;
  test.each([
    [["maybe"], action],
    [["2h"], /^Error: action must be on or off, got 2h. For how long, write --duration 2h.\n/],
    [[""], action],
    [["of"], action],
    [["on", "off"], /^Error: unexpected argument: off/],
    [["off", "-d", "1h"], /^Error: --duration cannot be used with snooze off/],
    [["off", "-d", "nonsense"], /^Error: --duration cannot be used with snooze off/],
    [["maybe", "-d", "nonsense"], action],
    [["-d", "0"], range],
    [["-d", "0s"], range],
    [["-d", "-1h"], range],
    [["-d", "999ms"], range],
    [["-d", "8760h1s"], range],
    [["-d", "2562047h"], range],
    [["-d", "2562048h"], grammar],
    [["-d", "8"], grammar],
    [["-d", "1.5"], grammar],
    [["-d", "8 h"], grammar],
    [["-d", "1d"], grammar],
    [["-d", "h"], grammar],
    [["-d", `${"9".repeat(1000)}h`], grammar],
    [["-d"], /^Error: --duration needs a value/],
    [["--nope"], /^Error: unknown flag: --nope/],
  ] as [string[], RegExp][])("snooze %p", async (argv, message) => {
    using dir = tempDir();
    const env = { ROBOREV_DATA_DIR: dir.join("data") };
    const result = await runCli(["snooze", ...argv], { cwd: "/", env });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(message);
  });
});

test("61 every duration of the range is taken as Go reads it, and said in hours, minutes or in full", async () => {
  await using at = obeying();
  for (const [typed, said] of [
    ["1s", "1s"],
    ["90s", "1m30s"],
    ["60s", "1m"],
    ["1m", "1m"],
    ["1h30m", "90m"],
    ["1.5h", "90m"],
    ["120m", "2h"],
    ["25h", "25h"],
    ["1h0m0.5s", "1h0m0.5s"],
    ["+2h", "2h"],
    ["8760h", "8760h"],
  ] as const) {
    const { stdout, code } = await at.cli(["snooze", "-d", typed], { now });
    expect([typed, code]).toEqual([typed, 0]);
    expect(stdout).toContain(`Reminders snoozed for ${said}, until `);
    expect(at.daemon.of(route).at(-1)?.body).toMatchObject({
      snoozed_until: new Date(now.getTime() + parseGoDuration(typed)).toISOString(),
    });
  }
});

test("61 whatever is typed as a duration is taken or refused in one line, and nothing is sent then", async () => {
  await using at = obeying();
  const word = fc.oneof(
    fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.startsWith("-")),
    fc
      .array(fc.tuple(fc.nat(99), fc.constantFrom("ns", "us", "ms", "s", "m", "h", "", "d", ".5h")), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.flat().join("")),
  );
  await fc.assert(
    fc.asyncProperty(word, async (typed) => {
      const before = at.daemon.of(route).length;
      const { code, stdout, stderr } = await at.cli(["snooze", `--duration=${typed}`], { now });
      const sent = at.daemon.of(route).length - before;
      if (code === 0) expect([sent, stderr]).toEqual([1, ""]);
      else {
        expect([code, sent, stdout]).toEqual([2, 0, ""]);
        expect(stderr).toMatch(/^Error: [^\n]+\nUsage: [^\n]+\nHelp: [^\n]+\n$/);
      }
    }),
    { numRuns: 40 },
  );
});

describe("61 a place that has no reminders to mute", () => {
  test("outside a repository, inside a bare one and inside .git it says so in one line and asks nobody", async () => {
    await using at = obeying();
    using dir = tempDir();
    git(dir.path, "clone", "-q", "--bare", at.repo.path, "bare.git");
    for (const [cwd, message] of [
      [dir.path, `${dir.path} is not inside a git repository. Change into one and try again.`],
      [dir.join("bare.git"), `${dir.join("bare.git")} is in a git repository, but in no working tree of it.`],
      [`${at.repo.path}/.git`, `${at.repo.path}/.git is in a git repository, but in no working tree of it.`],
    ] as const) {
      const result = await at.cli(["snooze"], { cwd });
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toMatch(/^Error: [^\n]+\n$/);
      expect(result.stderr).toContain(message);
    }
    expect(at.daemon.seen).toEqual([]);
  });

  test("what the daemon refuses comes with the daemon's words, and nothing is registered", async () => {
    const error = { error: "/r is not set up", code: "E_NOT_TRACKED", hint: "Set it up with: roborev init" };
    await using at = place({ [route]: () => reply(404, error) });
    for (const action of ["on", "off"])
      expect(await at.cli(["snooze", action])).toEqual({
        code: 1,
        stdout: "",
        stderr: "Error: /r is not set up. Set it up with: roborev init\n",
      });
    expect(at.daemon.seen.filter(({ route: asked }) => asked.includes("register"))).toEqual([]);
  });
});

test("122 a hostile branch goes to the daemon as it is and to the terminal as one quoted, clean, bounded word", async () => {
  await using at = obeying();
  for (const [branch, shown] of [
    ["$(touch$IFS'canary')", "\"$(touch$IFS'canary')\""],
    ["--json", '"--json"'],
    ["HEAD", '"HEAD"'],
    ["\u202eniam", '"niam"'],
    ["main\u200b", '"main"'],
    ['a"b', '"ab"'],
    ["\u200b", "a branch with a name that cannot be shown"],
    ["x".repeat(200), `"${"x".repeat(64)}"`],
  ] as const) {
    at.repo.git("symbolic-ref", "HEAD", `refs/heads/${branch}`);
    const { stdout, code } = await at.cli(["snooze"], { now });
    expect([branch, code]).toEqual([branch, 0]);
    expect(stdout).toContain(` on ${shown} in ${at.repo.path}. `);
    expect(at.daemon.of(route).at(-1)?.body).toMatchObject({ branch });
  }
});
