import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import fc from "fast-check";
import type { JobEvent } from "../../../src/daemon/api/event.ts";
import { fillTemplate, hookEnvironment, hookVariables } from "../../../src/daemon/review-hooks/values.ts";
import { jobEvent as event } from "../../support/job-event.ts";
import { tempDir } from "../../support/temp.ts";

/** What sh prints for a command whose placeholders stand for these values. */
function run(command: string, values: Partial<JobEvent>, cwd = import.meta.dir): string {
  const { stdout } = Bun.spawnSync(["/bin/sh", "-c", fillTemplate(command, 7)], {
    cwd,
    env: hookEnvironment({ PATH: process.env.PATH }, event(values), { dataDir: "/data", cwd }),
    stderr: "ignore",
  });
  return stdout.toString();
}

const hostile = [
  "'; rm -rf ~; touch canary; '",
  '"; touch canary; "',
  "$(touch canary)",
  "`touch canary`",
  "'$(touch canary)'",
  "\"'\"'; touch canary #",
  "\\'; touch canary; \\'",
  "a\n touch canary\n",
  "-n -e --help",
  `* ? [a-z] ~ $HOME $${""}{PATH} !!`,
  "{findings} {sha} {job_id}",
  `$${""}{ROBOREV_SHA} $ROBOREV_SHA`,
  "& touch canary & | touch canary > canary",
  "",
  " two  spaces\tand a tab ",
  "ünï → \u202e 𝕏",
];

const asOneWord = [
  "printf %s {findings}",
  'printf %s "{findings}"',
  "printf '%s' {findings}",
  "printf %s a{findings}b",
];
/** Places in which the value is data at most. */
const anywhere = [
  "printf %s '{findings}'",
  "sh -c 'printf %s {findings}'",
  'sh -c "printf %s {findings}"',
  "sh -e -c \"printf %s '{findings}'\"",
  'env bash -ec "printf %s $(printf %s {findings})"',
  "eval printf %s {findings}",
  'eval "printf %s {findings}"',
  "printf %s $(printf %s {findings})",
  "printf %s `printf %s {findings}`",
  'printf %s "$(printf %s {findings})"',
  'printf %s "$(printf %s "{findings}")"',
  "cat <<END\n{findings}\nEND",
  "cat <<'END'\n{findings}\nEND",
  "case {findings} in x) ;; *) printf %s {findings} ;; esac",
  'X={findings}; printf %s "$X"',
  "# it's a comment {findings}\nprintf %s {findings}",
  "printf %s \\{findings}",
  "printf %s \\\\{findings}",
  "printf %s \\'{findings}\\'",
  'printf %s "\\"{findings}\\""',
];

describe("C12 values in a command", () => {
  test.each(hostile)("%j arrives as one word, unchanged, and is never run", (value) => {
    using dir = tempDir();
    for (const command of asOneWord.slice(0, 3))
      expect(run(command, { findings: value }, dir.path)).toBe(value);
    expect(run(asOneWord[3] as string, { findings: value }, dir.path)).toBe(`a${value}b`);
    for (const command of anywhere) run(command, { findings: value }, dir.path);
    expect(existsSync(dir.join("canary"))).toBe(false);
  });

  test("any text arrives as it is, wherever the command is free to put a word", () => {
    const text = fc.string({ unit: fc.constantFrom(..."'\"\\$`(){};&|<> \n\t*~#!aé€𝕏"), maxLength: 24 });
    fc.assert(
      fc.property(text, fc.constantFrom(...asOneWord.slice(0, 3)), (value, command) => {
        expect(run(command, { findings: value })).toBe(value);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test("a shell that the command calls with single quotes gets the value as data, too", () => {
    expect(run("sh -c 'printf %s {findings}'", { findings: "'; echo pwned; '" })).toBe("'; echo pwned; '");
  });

  test("every placeholder stands for its field, the number of the job for itself, even in quotes", () => {
    const values = {
      type: "review.failed",
      branch: "side",
      verdict: "F",
      findings: "f",
      error: "e",
      worktree_path: "/tree",
    } as const;
    const command =
      "echo '{job_id}' {job_id} {event} {repo} {repo_name} {sha} {branch} {agent} {verdict} {findings} {error} {worktree}";
    expect(run(command, values)).toBe(
      `7 7 review.failed /shop shop ${"a".repeat(40)} side test F f e /tree\n`,
    );
    expect(run("printf '[%s]' {verdict} {error}", {})).toBe("[][]");
  });

  test("what only looks like a placeholder is left alone", () => {
    for (const command of [
      `echo $${""}{sha}`,
      "awk '{print $1}'",
      "echo {shas} { sha } {SHA} {}",
      "echo \\{sha}",
    ])
      expect(fillTemplate(command, 7)).toBe(command);
  });
});

describe("variables", () => {
  test("there is one for every field, empty where the event has none", () => {
    expect(hookVariables(event())).toEqual({
      ROBOREV_EVENT: "review.completed",
      ROBOREV_JOB_ID: "7",
      ROBOREV_REPO: "/shop",
      ROBOREV_REPO_NAME: "shop",
      ROBOREV_SHA: "a".repeat(40),
      ROBOREV_BRANCH: "",
      ROBOREV_AGENT: "test",
      ROBOREV_VERDICT: "",
      ROBOREV_FINDINGS: "",
      ROBOREV_ERROR: "",
      ROBOREV_WORKTREE: "",
    });
  });

  test("a value is cut at 64 KiB without splitting a character, and has no NUL, so that the command always starts", () => {
    const { ROBOREV_FINDINGS: findings = "" } = hookVariables(
      event({ findings: `a\0${"€".repeat(100_000)}` }),
    );
    expect(Buffer.byteLength(findings)).toBeLessThanOrEqual(64 * 1024);
    expect(findings).toMatch(/^a€+$/);
    expect(run("printf %s {findings} | wc -c", { findings: "'".repeat(1_000_000) }).trim()).toBe("65536");
  });

  test("T15 nothing of whoever started the daemon gets in: no repository, no settings, no code for Bun or Node, no program of the checkout", () => {
    const env = {
      PATH: "/opt/tools:.::bin:/repo/node_modules/.bin:/repo:/bin",
      HOME: "/home/ada",
      SSH_AUTH_SOCK: "/agent",
      GIT_DIR: "/evil",
      GIT_CONFIG_GLOBAL: "/cfg",
      BUN_OPTIONS: "--preload /evil",
      NODE_OPTIONS: "--require /evil",
      ROBOREV_SERVER: "unix:///elsewhere",
      ROBOREV_REVIEW_JOB: "3",
      ROBOREV_FINDINGS: "forged",
      PWD: "/elsewhere",
      npm_lifecycle_event: "x",
      GONE: undefined,
    };
    const kept = hookEnvironment(env, event(), { dataDir: "/data", cwd: "/repo" });
    expect(Object.keys(kept).filter((name) => !name.startsWith("ROBOREV_"))).toEqual([
      "PATH",
      "HOME",
      "SSH_AUTH_SOCK",
      "GIT_CONFIG_GLOBAL",
    ]);
    expect(kept.PATH).toStartWith("/opt/tools:/bin");
    expect(kept.PATH?.split(":").filter((entry) => !/^\/(?!repo\b)/.test(entry))).toEqual([]);
    const atHome = hookEnvironment(env, event(), { dataDir: "/data", cwd: "/home/ada" });
    expect(atHome.PATH).toContain("/home/ada/.local/bin");
    expect([
      kept.ROBOREV_DATA_DIR,
      kept.ROBOREV_SERVER,
      kept.ROBOREV_REVIEW_JOB,
      kept.ROBOREV_FINDINGS,
    ]).toEqual(["/data", undefined, undefined, ""]);
  });
});
