import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extendCooldown } from "../../../src/review/cooldowns.ts";
import { fixScene } from "../../daemon/fix-scene.ts";
import { isAlive } from "../../support/alive.ts";
import { testDaemon } from "../../support/daemon.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const answer =
  "say 'Summed it up again.\\\\n\\\\nFINDING 1: FIXED - the sum.\\\\nFINDING 2: FIXED - the name.'";
const mends = `echo right > a.txt; echo new > b.txt; ${answer}`;

test("a background fix is made at the reviewed commit in a worktree of its own, and leaves a patch and an open review", async () => {
  await using s = await fixScene({ agent: `pwd > "$PROMPT.pwd"; ${mends}` });
  const parent = await s.reviewed();
  const before = s.repo.commit("Go on", { "a.txt": "wrong still\n" });
  const { status, body } = await s.fix({ parent_job_id: parent, prompt: "Only a.txt." });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...{ job_type: "fix", git_ref: `fix #${parent}`, parent_job_id: parent, agentic: true, branch: "main" },
    ...{ agent: "claude-code", reasoning: "standard", base_sha: s.sha, commit_subject: "Sum the cart" },
  });
  const job = await s.ended(body.id);
  expect([job.status, job.error]).toEqual(["done", undefined]);
  const prompt = readFileSync(s.dir.join("prompt"), "utf8");
  expect(prompt).toBe(job.prompt as string);
  expect(prompt).toContain("## What the user asks besides\n\nOnly a.txt.");
  const patch = await s.patch(job.id);
  expect(patch.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await patch.text();
  expect(text).toContain("-wrong\n+right\n");
  expect(text).toContain("+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n");
  expect(job.patch).toBe(text);
  // The user's working tree and repository are as they were, and the worktree is gone.
  expect(readFileSync(join(s.repo.path, "a.txt"), "utf8")).toBe("wrong still\n");
  expect([s.repo.git("rev-parse", "HEAD"), s.repo.git("status", "--porcelain")]).toEqual([before, ""]);
  const place = readFileSync(s.dir.join("prompt.pwd"), "utf8").trim();
  expect(place).toStartWith(s.dir.join("data"));
  expect(existsSync(place)).toBe(false);
  expect(s.repo.git("worktree", "list").split("\n")).toHaveLength(1);
  const review = (await s.daemon.get(`/api/review?job_id=${job.id}`)).body as { output: string };
  expect(review.output).toStartWith("Summed it up again.");
  expect(s.store.jobs.openFailed(s.repoId).map(({ jobId }) => jobId)).toEqual([parent]);
});

test("what an agent committed, staged, left and deleted is in the patch, and no hook of the repository ran", async () => {
  await using s = await fixScene({
    agent: `git rm -q README.md; echo one > one; git add one; git commit -qm mine; echo two > two; git add two; echo three > three
      printf '\\000\\001\\377' > blob; ${answer}`,
  });
  for (const hook of ["pre-commit", "post-commit", "post-checkout"]) {
    const path = join(s.repo.path, ".git/hooks", hook);
    writeFileSync(path, `#!/bin/sh\ntouch "${s.dir.join("canary")}"\n`);
    chmodSync(path, 0o755);
  }
  const parent = await s.reviewed();
  const job = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  expect([job.status, job.error]).toEqual(["done", undefined]);
  expect(existsSync(s.dir.join("canary"))).toBe(false);
  const bytes = new Uint8Array(await (await s.patch(job.id)).arrayBuffer());
  writeFileSync(s.dir.join("p"), bytes);
  s.repo.git("apply", "--index", s.dir.join("p"));
  expect(s.repo.git("status", "--porcelain").split("\n")).toEqual([
    ...["D  README.md", "A  blob", "A  one", "A  three", "A  two"],
  ]);
  expect([...readFileSync(join(s.repo.path, "blob"))]).toEqual([0, 1, 255]);
});

test("a fix that changes nothing is a failed job with what the agent says, and there is no patch", async () => {
  await using s = await fixScene({ agent: "say 'FINDING 1: REFUTED - the total is right.'" });
  const job = await s.ended((await s.fix({ parent_job_id: await s.reviewed() })).body.id);
  expect([job.status, job.retry_count]).toEqual(["failed", 0]);
  expect(job.error).toBe(
    "no-change: claude-code changed nothing. It says: FINDING 1: REFUTED - the total is right.",
  );
  expect((await s.patch(job.id)).status).toBe(404);
  const { body } = await s.daemon.post("/api/job/applied", { job_id: job.id });
  expect((body as { error: string }).error).toBe(
    `job ${job.id} failed: only a background fix that is done can become applied`,
  );
});

test("a change that becomes no patch fails once and says why, and a .git that leads elsewhere is no obstacle", async () => {
  await using s = await fixScene({
    agent: `test -e "$PROMPT.second" && { rm .git; git init -q; git add .; ${mends}; exit; }; touch "$PROMPT.second"
      mkdir own && (cd own && git init -q && git commit -q --allow-empty -m own); ${mends}`,
  });
  const parent = await s.reviewed();
  const refused = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  expect([refused.status, refused.retry_count, refused.error]).toEqual([
    ...["failed", 0],
    "what the agent left becomes no patch: own has become a git repository of its own, and its files are in no patch",
  ]);
  const job = await s.ended((await s.fix({ parent_job_id: parent })).body.id);
  expect([job.status, job.error]).toEqual(["done", undefined]);
  expect(job.patch).toContain("-wrong\n+right\n");
  expect(s.repo.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("D11 a fix that is canceled ends with all that it started, and leaves no worktree", async () => {
  await using s = await fixScene({
    agent: 'sleep 300 & echo $! > "$PROMPT.child"; echo $$ > "$PROMPT.pid"; wait',
  });
  const { body } = await s.fix({ parent_job_id: await s.reviewed() });
  await waitFor("the agent", () => existsSync(s.dir.join("prompt.pid")));
  const child = Number(readFileSync(s.dir.join("prompt.child"), "utf8"));
  expect((await s.daemon.post("/api/job/cancel", { job_id: body.id })).status).toBe(200);
  await waitFor("its end", () => s.daemon.parts.services.engine.activeWorkers === 0);
  expect(isAlive(child)).toBe(false);
  expect((await s.job(body.id)).status).toBe("canceled");
  expect(s.repo.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(readdirSync(s.dir.join("data/worktrees"))).toEqual([]);
});

test("G11 a daemon that stops puts its fix back and leaves no worktree; the next one makes it from the start", async () => {
  await using s = await fixScene({
    agent: `test -e "$PROMPT.second" && { ${mends}; exit; }; touch "$PROMPT.second"; echo half > a.txt; sleep 300`,
  });
  const { body } = await s.fix({ parent_job_id: await s.reviewed() });
  await waitFor("the agent", () => existsSync(s.dir.join("prompt.second")));
  await s.daemon.parts.stopWork();
  expect(await s.job(body.id)).toMatchObject({ status: "queued", retry_count: 0 });
  expect(s.repo.git("worktree", "list").split("\n")).toHaveLength(1);
  await s.daemon.parts.close();
  await using next = await testDaemon(s.dir.join("data"), { workers: 1 });
  const job = await waitFor("the patch", () => {
    const job = next.parts.services.store.jobs.get(body.id);
    return job?.status === "done" ? job : undefined;
  });
  expect(job.patch).toContain("-wrong\n+right\n");
});

test("a fix ends with what the agent left running, and fails when it changed what the user's git would start", async () => {
  await using s = await fixScene({
    agent: `setsid sh -c 'sleep 300' >/dev/null 2>&1 & echo $! > "$PROMPT.child"
      git config core.fsmonitor "touch canary"; ${mends}`,
  });
  const job = await s.ended((await s.fix({ parent_job_id: await s.reviewed() })).body.id);
  expect([job.status, job.error?.slice(0, 8), job.patch]).toEqual(["failed", "policy: ", undefined]);
  expect(job.error).toContain("start programs changed");
  if (process.platform !== "linux") return;
  const child = Number(readFileSync(s.dir.join("prompt.child"), "utf8"));
  expect(isAlive(child)).toBe(false);
});

test("S04 a fix is tried again, then goes to the backup that edits as well; a resting agent is not asked", async () => {
  await using s = await fixScene({
    agent: mends,
    config: 'fix_backup_agent = "claude-code"\ncodex_cmd = "/bin/false"\n',
  });
  const now = new Date();
  extendCooldown(
    s.store.kv,
    { agent: "codex", until: new Date(now.getTime() + 60_000), reason: "usage limit" },
    now,
  );
  const { body } = await s.fix({ parent_job_id: await s.reviewed(), agent: "codex" });
  const job = await waitFor("the backup", async () => {
    const job = await s.job(body.id);
    return job.status === "done" ? job : undefined;
  });
  expect([job.agent, job.attempted_agents]).toEqual(["claude-code", ["codex"]]);
  expect(job.patch).toContain("+right\n");
  expect(job.error).toBeUndefined();
});

test("A07 an agent without quota rests for reviews as well, and its fix fails with that", async () => {
  await using s = await fixScene({
    agent: `printf '%s\\n' '{"type":"result","subtype":"success","is_error":true,"result":"You have hit your session limit, quota exceeded"}'; exit 1`,
  });
  const job = await s.ended((await s.fix({ parent_job_id: await s.reviewed() })).body.id);
  expect([job.status, job.error?.slice(0, 7)]).toEqual(["failed", "quota: "]);
  const status = (await s.daemon.get("/api/status")).body as { agent_cooldowns: { agent: string }[] };
  expect(status.agent_cooldowns.map(({ agent }) => agent)).toEqual(["claude-code"]);
});
