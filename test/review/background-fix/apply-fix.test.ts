import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { askForRebase } from "../../../src/review/background-fix/ask.ts";
import { git } from "../../support/repo.ts";
import { answered, applyScene, findings } from "./apply-scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

function hook(path: string, name: string, shell: string): void {
  mkdirSync(`${path}/.git/hooks`, { recursive: true });
  writeFileSync(`${path}/.git/hooks/${name}`, `#!/bin/sh\n${shell}\n`);
  chmodSync(`${path}/.git/hooks/${name}`, 0o755);
}

test("a patch is committed with the user's hooks, the review commented and closed, the fix marked, the commit reviewed", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const fix = await s.fixOf(parent, { "one.ts": "mended", "b.txt": "new" });
  hook(s.repo.path, "pre-commit", `touch "${s.dir.join("hook-ran")}"`);
  s.repo.write("mine.txt", "not tracked");
  expect(await s.check(fix)).toEqual({ kind: "applies" });
  const credit = { author: "Bot <bot@example.com>", coAuthor: "Pair <pair@example.com>" };
  const done = await s.apply(fix, { settings: { credit, timeoutMs: 1 } });
  const head = s.repo.git("rev-parse", "HEAD");
  expect(done).toMatchObject({
    ...{ job_id: fix, outcome: "applied", worktree: s.repo.path, commit: head },
    review: { job_id: parent, outcome: "fixed", closed: true },
  });
  expect(s.repo.git("show", "--format=%an%n%B", "--name-only", "HEAD")).toBe(
    `Bot\nAddress review findings (job ${parent})\n\nThe total is summed up.\n\nCo-authored-by: Pair <pair@example.com>\n\n\nb.txt\none.ts`,
  );
  expect(existsSync(s.dir.join("hook-ran"))).toBe(true);
  expect(s.repo.git("status", "--porcelain")).toBe("?? mine.txt");
  const review = await s.client.review({ job_id: parent });
  expect(review.closed).toBe(true);
  expect(review.findings?.map(({ disposition }) => disposition?.state)).toEqual(["fixed", "fixed"]);
  expect(review.comments).toMatchObject([
    { responder: "roborev-fix", response: `Fixed by codex in ${head.slice(0, 7)}.\n\n${answered}` },
  ]);
  expect((await s.client.jobs({ id: fix })).jobs[0]?.status).toBe("applied");
  expect((await s.client.jobs({ git_ref: head })).jobs).toHaveLength(1);
  await expect(s.apply(fix)).rejects.toMatchObject({ code: "E_APPLIED" });
});

test("what the agent put off keeps the review open", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const answer = "FINDING 1: FIXED - the sum.\nFINDING 2: DEFERRED - the name is used elsewhere.";
  const done = await s.apply(await s.fixOf(parent, { "one.ts": "mended" }, answer));
  expect(done.review).toMatchObject({ outcome: "partly", closed: false });
  expect(await s.isClosed(parent)).toBe(false);
});

test("a patch that does not apply any more changes nothing, names the conflict, and can be made anew from the branch", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const fix = await s.fixOf(parent, { "one.ts": "mended", "b.txt": "new" });
  const head = s.repo.commit("meanwhile", { "one.ts": "something else" });
  expect(await s.check(fix)).toMatchObject({ kind: "conflict", reason: expect.stringContaining("one.ts") });
  await expect(s.apply(fix)).rejects.toMatchObject({
    code: "E_CONFLICT",
    message: expect.stringMatching(/^the patch of job \d+ does not apply to "\w+" any more: .*one\.ts/),
    hint: `Have it made anew with: roborev fix --rebase ${fix}`,
  });
  expect([s.repo.git("rev-parse", "HEAD"), s.repo.git("status", "--porcelain")]).toEqual([head, ""]);
  expect((await s.client.jobs({ id: fix })).jobs[0]?.status).toBe("done");
  expect([await s.isClosed(parent), await s.comments(parent)]).toEqual([false, []]);

  writeFileSync(
    s.dir.join("data/config.toml"),
    `fix_agent = "claude-code"\nclaude_code_cmd = "${s.dir.join("agent")}"\n`,
  );
  const anew = await askForRebase(s.client, fix, { prompt: "Keep the rest." });
  expect(anew).toMatchObject({ parent_job_id: parent, base_sha: head, status: "queued" });
  const [job] = (await s.client.jobs({ id: anew.id })).jobs;
  expect(job?.prompt).toContain("-one\n\\ No newline at end of file\n+mended\n");
  expect(job?.prompt).toContain("Keep the rest.");
  expect((await s.client.jobs({ id: fix })).jobs[0]?.status).toBe("rebased");
  await expect(s.apply(fix)).rejects.toMatchObject({ code: "E_REBASED" });
  await expect(s.apply(anew.id)).rejects.toMatchObject({ code: "E_NOT_DONE" });
  await expect(s.apply(parent)).rejects.toMatchObject({ code: "E_NO_FIX" });
  await expect(s.apply(999)).rejects.toMatchObject({ code: "E_NO_JOB" });
});

test("a patch whose change is there already is marked and not committed again", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const fix = await s.fixOf(parent, { "one.ts": "mended" });
  const head = s.repo.commit("by hand", { "one.ts": "mended" });
  expect(await s.apply(fix)).toEqual({ job_id: fix, outcome: "there", worktree: s.repo.path });
  expect(s.repo.git("rev-parse", "HEAD")).toBe(head);
  expect((await s.client.jobs({ id: fix })).jobs[0]?.status).toBe("applied");
  expect(await s.isClosed(parent)).toBe(false);
});

test("C08 a hook that refuses leaves the working tree as it was, and the fix where it was", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const fix = await s.fixOf(parent, { "one.ts": "mended", "b.txt": "new" });
  const head = s.repo.git("rev-parse", "HEAD");
  hook(s.repo.path, "commit-msg", "echo 'needs a ticket' >&2; exit 1");
  await expect(s.apply(fix)).rejects.toMatchObject({
    ...{ code: "E_COMMIT_REFUSED", message: "the git hook commit-msg refused the commit: needs a ticket" },
    hint: expect.stringContaining(`roborev fix --rebase ${fix} --prompt`),
  });
  expect([s.repo.git("rev-parse", "HEAD"), s.repo.git("status", "--porcelain")]).toEqual([head, ""]);
  expect(s.warned).toEqual(["The working tree is as it was."]);
  expect((await s.client.jobs({ id: fix })).jobs[0]?.status).toBe("done");
});

test("a dirty working tree, a rebase in progress and a file in the way are refused, and nothing is changed", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const fix = await s.fixOf(parent, { "b.txt": "new" });
  s.repo.write("one.ts", "half done");
  await expect(s.apply(fix)).rejects.toMatchObject({ code: "E_TREE_DIRTY" });
  await expect(s.check(fix)).rejects.toMatchObject({ code: "E_TREE_DIRTY" });
  s.repo.git("checkout", "-q", "one.ts");
  s.repo.write("b.txt", "mine");
  await expect(s.apply(fix)).rejects.toMatchObject({
    code: "E_APPLY",
    message: expect.stringContaining("b.txt"),
  });
  expect(readFileSync(`${s.repo.path}/b.txt`, "utf8")).toBe("mine");
  s.repo.git("clean", "-fdq");
  s.repo.commit("two", { "two.ts": "2" });
  expect(() => s.repo.git("rebase", "-q", "--exec", "false", "HEAD~1")).toThrow();
  await expect(s.apply(fix)).rejects.toMatchObject({ code: "E_IN_PROGRESS" });
  s.repo.git("rebase", "--abort");
  expect((await s.apply(fix)).outcome).toBe("applied");
});

test("a patch goes to the working tree that has its branch, wherever one stands", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const fix = await s.fixOf(parent, { "one.ts": "mended" });
  const branch = s.repo.git("branch", "--show-current");
  s.repo.git("switch", "-q", "-c", "side", "HEAD~1");
  await expect(s.apply(fix)).rejects.toMatchObject({
    ...{ code: "E_OTHER_BRANCH", hint: "Check it out first, with git switch." },
  });
  const linked = s.dir.join("linked tree");
  s.repo.git("worktree", "add", "-q", linked, branch);
  expect(await s.apply(fix)).toMatchObject({ outcome: "applied", worktree: linked });
  expect(readFileSync(`${linked}/one.ts`, "utf8")).toBe("mended");
  expect(s.repo.git("status", "--porcelain")).toBe("");
  expect(git(linked, "rev-parse", "--abbrev-ref", "HEAD")).toBe(branch);
});

test("V04 a patch that leads out of the working tree, into .git or through a link is no patch, and nothing is written", async () => {
  await using s = await applyScene();
  const parent = await s.reviewed("one", "F", findings);
  const { store, database } = s.daemon.parts.services;
  const outside = s.dir.join("outside");
  for (const path of ["../outside", ".git/hooks/post-commit", "link/canary"]) {
    const fix = await s.fixOf(parent, { "b.txt": "x" });
    const bytes = new TextEncoder().encode(
      `diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+${s.dir.path}\n\\ No newline at end of file\n` +
        `diff --git a/${path} b/${path}\nnew file mode 100755\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+evil\n`,
    );
    await database(() => {
      store.jobs.rerun(fix);
      store.jobs.claim("w", {
        except: store.jobs
          .list({ limit: 0 })
          .jobs.map(({ id }) => id)
          .filter((id) => id !== fix),
      });
      store.jobs.complete(fix, "w", { agent: "codex", prompt: "p", output: "x", findings: [], patch: bytes });
    });
    await expect(s.apply(fix)).rejects.toMatchObject({ code: "E_APPLY" });
    expect(s.repo.git("status", "--porcelain")).toBe("");
  }
  expect([existsSync(outside), existsSync(s.dir.join("canary"))]).toEqual([false, false]);
  expect(existsSync(`${s.repo.path}/.git/hooks/post-commit`)).toBe(false);
});
