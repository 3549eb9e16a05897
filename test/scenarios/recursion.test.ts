import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Job } from "../../src/store/schema.ts";
import { binary, roborev } from "../support/binary.ts";
import { testRepo } from "../support/repo.ts";
import { reviewScene } from "../support/review-scene.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

// D30: reviewers are coding agents with our hooks in their configuration and git hooks in the repository. A review that
// led to a review would never end.

test("A12 A13 D30 a reviewer that commits, asks for reviews and fires hooks starts nothing, and its writing fails the job", async () => {
  using repo = testRepo();
  using tools = tempDir();
  const payload = JSON.stringify({ session_id: "reviewer", cwd: repo.path, hook_event_name: "Stop" });
  const stub = stubReviewer(
    tools.join("claude"),
    `cat > /dev/null
{
  echo "job=$ROBOREV_REVIEW_JOB"
  cd '${repo.path}'
  '${binary}' review HEAD; echo "review=$?"
  '${binary}' review HEAD --quiet; echo "quiet=$?"
  '${binary}' review --dirty; echo "dirty=$?"
  '${binary}' post-commit; echo "post-commit=$?"
  echo '${payload}' | '${binary}' agent-hook run --agent claude; echo "hook=$?"
  git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m "by the reviewer"; echo "commit=$?"
  cd - > /dev/null
  git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m "in the worktree"
} > '${tools.join("log")}' 2>&1
say 'No issues found. Read README.md.'`,
  );
  await using scene = await reviewScene({
    config: `default_agent = "claude-code"\nclaude_code_cmd = ${JSON.stringify(stub)}\nreview_min_severity = "low"\n`,
    env: { ROBOREV_REVIEW_JOB: "77", ROBOREV_FIX_JOB: "78" }, // of whoever started the daemon: dropped
  });
  const env = { ROBOREV_DATA_DIR: scene.dataDir };
  expect((await roborev(["init", "--agent", "claude-code"], { cwd: repo.path, env })).exitCode).toBe(0);
  repo.write("a.ts", "BUG: x\n");
  repo.git("add", "-A");
  const commit = Bun.spawnSync(["git", "commit", "-q", "-m", "by the user"], {
    cwd: repo.path,
    env: { ...process.env, ROBOREV_DATA_DIR: scene.dataDir, ROBOREV_REVIEW_JOB: "" },
  });
  expect(commit.exitCode).toBe(0);

  const jobs = async () =>
    ((await scene.daemon.send("GET", "/api/jobs?limit=0")).body as { jobs: Job[] }).jobs;
  const job = await waitFor(
    "the review",
    async () => (await jobs()).find(({ status }) => status !== "queued" && status !== "running"),
    30_000,
  );
  expect([job.status, job.error]).toEqual(["failed", "policy: the reviewer changed files in its worktree"]);
  expect(await jobs()).toHaveLength(1); // the user's commit, and none of the reviewer's

  const log = readFileSync(tools.join("log"), "utf8");
  expect(log).toContain(`job=${job.id}\n`);
  expect(log).toContain("Error: a reviewer cannot start reviews");
  expect(log).toMatch(/review=1\n[\s\S]*quiet=1\n[\s\S]*dirty=1\npost-commit=0\n\{\}\nhook=0\ncommit=0\n/);
  const sessions = (await scene.daemon.send("GET", "/api/agent-hook/sessions")).body;
  expect(JSON.stringify(sessions)).not.toContain("reviewer");
}, 120_000);
