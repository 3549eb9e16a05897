import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAlive } from "../support/alive.ts";
import { binary } from "../support/binary.ts";
import { testDaemon } from "../support/daemon.ts";
import { testRepo } from "../support/repo.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";
import { type CliOptions, runCli } from "./run-cli.ts";

const review =
  "## Review Findings\\n- **Severity**: High\\n- **Location**: a.txt:1\\n- **Problem**: wrong\\n- **Fix**: right";

// Each of these reviews runs a few dozen git processes.
setDefaultTimeout(30_000);

/** A repository and a reviewer that is this shell text: it runs with `$D`, a directory where it may leave notes. */
function scene(shell: string, config = "") {
  const dir = tempDir();
  const repo = testRepo();
  for (const name of ["data", "home", "notes"]) mkdirSync(dir.join(name), { mode: 0o700 });
  stubReviewer(dir.join("claude"), `D='${dir.join("notes")}'\n${shell}`);
  const text = `default_agent = "claude-code"\nclaude_code_cmd = "${dir.join("claude")}"\n${config}`;
  writeFileSync(dir.join("data/config.toml"), text, { mode: 0o600 });
  const env = {
    ROBOREV_DATA_DIR: dir.join("data"),
    HOME: dir.join("home"),
    SHELL: "/nonexistent/sh",
    ROBOREV_REVIEW_JOB: undefined,
  };
  return {
    dir,
    repo,
    env,
    run: (argv: string[] = [], options: CliOptions = {}) =>
      runCli(["review", "--local", ...argv], { cwd: repo.path, env, ...options }),
    note: (name: string) => readFileSync(dir.join("notes", name), "utf8"),
    hasNote: (name: string) => existsSync(dir.join("notes", name)),
    /** What a run may leave: nothing but the configuration and an empty directory. */
    left: () => [
      ...readdirSync(dir.join("data")).filter((name) => name !== "config.toml" && name !== "local"),
      ...readdirSync(dir.join("data/local")),
      ...repo
        .git("worktree", "list", "--porcelain")
        .split("\n")
        .filter((line) => line.startsWith("worktree"))
        .slice(1),
    ],
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("review --local shows the reviewer at work, prints the review, and ends with 1 where it fails", async () => {
  using s = scene(`cat >/dev/null
printf '{"type":"assistant","message":{"id":"1","content":[{"type":"text","text":"First I look."}]}}\\n'
printf '{"type":"assistant","message":{"id":"1","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"a.txt"}}]}}\\n'
echo 'a warning' >&2
say '${review}'`);
  const sha = s.repo.commit("change", { "a.txt": "wrong\n" }).slice(0, 7);
  const { code, stdout, stderr } = await s.run();
  expect([code, stderr]).toEqual([1, `Reviewing ${sha} here (agent: claude-code)\n`]);
  const [work, header, text] = stdout.split(`${"-".repeat(60)}\n`);
  expect(
    work
      ?.split("\n")
      .filter((line) => line !== "a warning")
      .join("\n"),
  ).toMatch(/^First I look\.\n\n→ Read a\.txt\n\n## Review Findings\n[\s\S]*right\n\n$/);
  expect(work).toContain("a warning\n");
  expect(header).toBe(
    `Review of ${sha}  change\nNot stored · reviewer claude-code · verdict fail\nSent inline: 1 of 1 file · commit ${sha}\n`,
  );
  expect(text).toStartWith("## Review Findings\n- **Severity**: High\n");
  expect(s.left()).toEqual([]);
});

test("review --local --json is one document without numbers to look up, --quiet only an exit status", async () => {
  using s = scene("cat >/dev/null; say 'No issues found. Read a.txt.'");
  s.repo.commit("change", { "a.txt": "fine\n" });
  const { code, stdout } = await s.run(["--json", "--wait", "--min-severity", "critical", "--fast"]);
  const { job, ...answer } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(answer).toMatchObject({
    agent: "claude-code",
    output: "No issues found. Read a.txt.",
    comments: [],
  });
  expect(job).toMatchObject({ status: "done", verdict: "P", min_severity: "critical", reasoning: "fast" });
  for (const name of ["id", "job_id", "uuid", "prompt"])
    expect([answer[name], job[name]]).toEqual([undefined, undefined]);
  expect(await s.run(["-q"])).toEqual({ code: 0, stdout: "", stderr: "" });
  s.repo.commit("empty");
  expect(JSON.parse((await s.run(["--json"])).stdout)).toEqual({ skipped: true, reason: "empty diff" });
  expect((await s.run()).stdout).toBe("Skipped: empty diff\n");
});

test("D36 D37 review --local asks what the daemon asks, in a worktree at the commit, with the same program", async () => {
  using s = scene(
    `cat >"$D/$(date +%s%N).prompt"; git rev-parse HEAD >>"$D/heads"; pwd >>"$D/places"; echo "$*" >>"$D/calls"
test "$ROBOREV_REVIEW_JOB" = 1 || exit 3
say 'No issues found. Read a.txt.'`,
    'exclude_patterns = ["*.lock"]\nreview_guidelines = "Be kind."\n',
  );
  const sha = s.repo.commit("change", { "a.txt": "fine\n", "x.lock": "no\n" });
  s.repo.write("a.txt", "not committed\n");
  await using daemon = await testDaemon(s.dir.join("data"), { workers: 1 });
  const queued = await daemon.post("/api/enqueue", { repo_path: s.repo.path, git_ref: sha });
  const { store } = daemon.parts.services;
  const id = (queued.body as { id: number }).id;
  await waitFor("the daemon's review", () => store.jobs.get(id)?.status === "done");
  expect((await s.run([sha])).code).toBe(0);
  const prompts = readdirSync(s.dir.join("notes"))
    .filter((name) => name.endsWith(".prompt"))
    .sort();
  const [ofDaemon, own] = prompts.map((name) =>
    s.note(name).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<uuid>"),
  );
  expect(own).toContain("Be kind.");
  expect(own).not.toContain("x.lock b/x.lock");
  expect(own).toBe(ofDaemon as string);
  expect(s.note("heads")).toBe(`${sha}\n${sha}\n`);
  const [first, second] = s.note("calls").trim().split("\n");
  expect(second).toBe(first as string);
  expect(
    s
      .note("places")
      .split("\n")
      .filter((place) => place.startsWith(s.repo.path)),
  ).toEqual([]);
});

test("D36 a reviewer that changes its worktree fails the review, and one without a verdict is asked once more", async () => {
  using s = scene(
    `cat >/dev/null; test -e "$D/change" && echo changed >a.txt; echo x >>"$D/runs"; say 'I looked.'`,
  );
  s.repo.commit("change", { "a.txt": "fine\n" });
  const none = await s.run();
  expect([none.code, s.note("runs")]).toEqual([1, "x\nx\n"]);
  expect(none.stderr).toMatch(
    /\nTrying again: no-verdict: [^\n]*\n[\s\S]*\nError: the review failed: no-verdict: /,
  );
  writeFileSync(s.dir.join("notes/change"), "");
  expect(await s.run(["-q", "--json"])).toMatchObject({
    code: 1,
    stderr: "Error: the review failed: policy: the reviewer changed files in its worktree\n",
  });
  expect(readFileSync(`${s.repo.path}/a.txt`, "utf8")).toBe("fine\n");
});

test("--dirty, ranges and branches are reviewed locally too", async () => {
  using s = scene(`cat >"$D/prompt"; say 'No issues found. Read a.txt and b.txt.'`);
  s.repo.commit("one", { "a.txt": "one\n" });
  const branch = s.repo.git("branch", "--show-current");
  s.repo.git("switch", "-q", "-c", "topic");
  s.repo.commit("two", { "b.txt": "two\n" });
  expect((await s.run(["HEAD~1..HEAD", "-q"])).code).toBe(0);
  expect(s.note("prompt")).toContain("+two");
  expect((await s.run(["--branch", "--base", branch])).stderr).toContain('Branch "topic": 1 commit since');
  s.repo.write("a.txt", "not committed\n");
  expect((await s.run(["--dirty", "--type", "security"])).stdout).toContain("\nReview of dirty\n");
  expect(s.note("prompt")).toContain("+not committed");
});

test("what is wrong with the configuration, the reviewer or the place is said before anything runs", async () => {
  using s = scene("exit 9", "max_workers = false\n");
  expect((await s.run()).stderr).toContain("max_workers");
  using missing = scene("exit 9", 'codex_cmd = "/nonexistent/codex"\n');
  expect((await missing.run(["--agent", "codex"])).stderr).toContain("reviewer codex is not installed");
  expect((await missing.run([], { env: { ...missing.env, ROBOREV_REVIEW_JOB: "7" } })).stderr).toContain(
    "a reviewer cannot start reviews",
  );
  expect(missing.left()).toEqual([]);
});

const hangs = `cat >/dev/null; sleep 600 & echo $! >"$D/child"; echo $$ >"$D/pid"; wait`;

test.each(["SIGINT", "SIGHUP"] as const)(
  "%s ends the reviewer with all that it started, and leaves no worktree",
  async (signal) => {
    using s = scene(hangs);
    s.repo.commit("change", { "a.txt": "fine\n" });
    const { child, pid } = await started(s);
    child.kill(signal);
    expect(await child.exited).toBe(130);
    expect([pid, Number(s.note("child"))].filter(isAlive)).toEqual([]);
    expect(s.left()).toEqual([]);
  },
);

test("what a killed one left, its reviewer too, is cleared away by the next, and one at work is let alone", async () => {
  using s = scene(
    `if [ -e "$D/pid" ]; then cat >/dev/null; say 'No issues found. Read a.txt.'; exit; fi\n${hangs}`,
  );
  s.repo.commit("change", { "a.txt": "fine\n" });
  const { child, pid } = await started(s);
  const atWork = s.left();
  expect((await s.run()).code).toBe(0);
  expect([s.left(), isAlive(pid)]).toEqual([atWork, true]);
  child.kill("SIGKILL");
  await child.exited;
  expect((await s.run()).code).toBe(0);
  expect([pid, Number(s.note("child"))].filter(isAlive)).toEqual([]);
  expect(s.left()).toEqual([]);
});

/** The compiled program, once its reviewer runs. */
async function started(s: ReturnType<typeof scene>) {
  const child = Bun.spawn([binary, "review", "--local"], {
    cwd: s.repo.path,
    env: { ...process.env, ...s.env },
    stdout: "ignore",
    stderr: "ignore",
  });
  const pid = Number(await waitFor("the reviewer", () => s.hasNote("pid") && s.note("pid")));
  return { child, pid };
}
