import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { refineBranches } from "../../../src/review/refine/branches.ts";
import { isDone } from "../../../src/review/refine/services.ts";
import type { Finding } from "../../../src/store/schema.ts";
import { isAlive } from "../../support/alive.ts";
import { edit, refineScene } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const zero: Finding = { severity: "high", problem: "an empty cart divides by zero", location: "cart.ts:1" };
const refute = "say 'I read it.\\nFINDING 1: REFUTED - the list is never empty here'";

test("C08 failed reviews are addressed, oldest commit first, each in a commit of its own, until the review of all passes", async () => {
  await using s =
    await refineScene(`echo "$(pwd) $(git rev-parse HEAD)" >>"$dir/places"; git config --get core.hooksPath >>"$dir/hooks"
echo more >>one.ts; printf '\\000\\001' >blob.bin; chmod +x README.md; git add -A; git commit -qm 'of the agent' >/dev/null; echo late >>late.ts; echo junk >ignored.log
git -C "$(git rev-parse --git-common-dir)/.." status --porcelain >>"$dir/untouched"
${edit("two.ts")}`);
  s.repo.commit("ignore", { ".gitignore": "*.log\n" });
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  const before = s.repo.git("rev-parse", "HEAD");
  const run = await s.refine();
  expect(run).toMatchObject({ outcome: "passed", branch: "feature", iterations: 2 });
  expect(run.results.map(({ job_id, outcome, closed }) => [job_id, outcome, closed])).toEqual([
    [one, "fixed", true],
    [two, "fixed", true],
  ]);
  expect(s.repo.git("log", "--format=%s", `${before}..`)).toBe(
    `Address review findings (job ${two})\nAddress review findings (job ${one})`,
  );
  expect(s.repo.git("log", "-1", "--format=%b")).toBe("Changes:\n- mended two.ts");
  // What it committed there, and what it did not; nothing that git ignores.
  expect(s.repo.git("show", "--format=", "--name-only", run.commits[0] as string).split("\n")).toEqual([
    ...["README.md", "blob.bin", "late.ts", "one.ts", "two.ts"],
  ]);
  expect(s.repo.git("status", "--porcelain")).toBe("");
  expect((await s.comments(one))[0]).toMatchObject({
    responder: "roborev-refine",
    response: expect.stringContaining(`Fixed by claude-code in ${run.commits[0]?.slice(0, 7)}`),
  });
  expect(readFileSync(s.dir.join("untouched"), "utf8")).toBe("");
  // In worktrees of its own, with hooks off, at the newest commit; gone now.
  const places = readFileSync(s.dir.join("places"), "utf8").trim().split("\n");
  expect(places.map((line) => line.split(" ")[1])).toEqual([before, run.commits[0] as string]);
  for (const place of places) {
    expect(place).toStartWith(`${s.services.lock.trees}/roborev-fix-`);
    expect(existsSync(place.split(" ")[0] as string)).toBe(false);
  }
  expect(readFileSync(s.dir.join("hooks"), "utf8")).toBe("/dev/null\n/dev/null\n");
  expect(s.repo.git("worktree", "list").split("\n")).toHaveLength(1);
  // Every review of the run is closed: those of its commits, and that of the whole.
  const { jobs } = await s.client.jobs({ limit: 0 });
  expect(
    jobs.map(({ verdict, closed }) => [verdict, closed]).filter(([, closed]) => closed !== true),
  ).toEqual([]);
  expect(jobs[0]?.git_ref).toBe(`${s.repo.git("merge-base", "main", "HEAD")}..${run.commits[1]}`);
});

test("C08 an agent that changes nothing is quoted in a comment, and that review is left alone for the rest of the run", async () => {
  await using s = await refineScene("say 'Looks fine to me.'");
  const id = await s.reviewed("one");
  const run = await s.refine();
  expect(run).toMatchObject({ outcome: "passed", iterations: 1, commits: [] });
  expect(run.results).toMatchObject([{ job_id: id, outcome: "unanswered", closed: false }]);
  expect((await s.comments(id)).map(({ responder }) => responder)).toEqual(["roborev-refine"]);
  expect(await s.isClosed(id)).toBe(false);
  expect(s.calls()).toHaveLength(1);
});

test("C08 after the last attempt it stops and says what is left; each attempt that fails counts", async () => {
  await using s = await refineScene("exit 1");
  const id = await s.reviewed("one");
  const run = await s.refine({ maxIterations: 2 });
  expect(run).toMatchObject({ outcome: "exhausted", iterations: 2, results: [] });
  expect(run.message).toBe(`after 2 attempts there is still something to do: job ${id}`);
  expect(isDone(run)).toBe(false);
  expect(s.calls()).toHaveLength(2);
  expect(s.repo.git("log", "-1", "--format=%s")).toBe("one");
});

test("the same finding that comes back twice after it was dealt with ends the run with an explanation", async () => {
  await using s = await refineScene(edit("cart.ts"));
  const id = await s.reviewed("cart", "F", [zero]);
  s.review(() => [{ ...zero, location: "./cart.ts:7", problem: "An empty cart still divides by zero." }]);
  const run = await s.refine();
  expect(run).toMatchObject({ outcome: "recurring", iterations: 2 });
  expect(run.message).toBe(
    "the same finding came back twice after it was dealt with at ./cart.ts:7: An empty cart still divides by zero. " +
      `(jobs ${id}, ${id + 1}, ${id + 2})`,
  );
  expect(run.hint).toContain(`roborev comment ${id + 2} --finding 1 --refuted`);
});

test("a fix that brings back what was there before ends the run: it goes in circles", async () => {
  await using s = await refineScene(
    `if [ -e b.ts ]; then git rm -q b.ts; else echo x >b.ts; fi; say 'FINDING 1: FIXED - as asked'`,
  );
  await s.reviewed("cart", "F", [zero]);
  let round = 0;
  s.review(() => [
    { severity: "high", problem: `entirely other words number${round++} ${"x".repeat(round)}` },
  ]);
  const run = await s.refine();
  expect(run).toMatchObject({ outcome: "recurring", iterations: 2 });
  expect(run.message).toContain("makes the files what they were at");
});

test("a refuted finding is put before the reviewer once more; one that insists twice ends the run", async () => {
  await using s = await refineScene(refute);
  const id = await s.reviewed("cart", "F", [zero]);
  const passed = await s.refine();
  expect(passed).toMatchObject({ outcome: "passed", iterations: 1 });
  expect((await s.client.review({ job_id: id })).findings?.[0]?.disposition).toMatchObject({
    ...{ state: "refuted", by: "roborev-refine" },
  });
  expect(await s.isClosed(id)).toBe(false);
  s.repo.commit("next");
  s.review(() => [zero]);
  expect(await s.refine()).toMatchObject({ outcome: "recurring", iterations: 2, commits: [] });
});

test("what is put off, or is below the floor, is not asked for: the run says so and ends", async () => {
  await using s = await refineScene("say 'FINDING 1: DEFERRED - needs a decision of the owner'");
  s.repo.commit("one");
  s.review(() => [zero]);
  expect(await s.refine()).toMatchObject({ outcome: "unresolved", iterations: 1 });
  // Whoever starts it again is not asked the same again.
  const again = await s.refine();
  expect(again).toMatchObject({ outcome: "unresolved", iterations: 0 });
  expect(again.message).toContain("was put off");
  s.repo.commit("two");
  s.review(() => [{ ...zero, severity: "low" }]);
  const settings = { ...s.services.settings, floor: "high" as const };
  const settled = await s.refine({ settings });
  expect(settled).toMatchObject({ outcome: "settled", iterations: 0 });
  expect(settled.message).toBe("All that the review of all 2 commits finds is below high (job 2)");
});

test("a review that is still pending is waited for, which is no attempt, and closed when it passes", async () => {
  await using s = await refineScene(edit("cart.ts"));
  const sha = s.repo.commit("one");
  const queued = await s.client.enqueue({ repo_path: s.repo.path, git_ref: sha, branch: "feature" });
  if ("skipped" in queued) throw new Error("skipped");
  const run = await s.refine();
  expect(run).toMatchObject({ outcome: "passed", iterations: 0 });
  expect(await s.isClosed(queued.id)).toBe(true);
  expect(s.said).toContain(`Waiting for job ${queued.id}.`);
  // The review of the whole is used again.
  expect(await s.refine()).toMatchObject({
    outcome: "passed",
    message: "The review of the one commit passed (job 2)",
  });
});

test("reviews of other branches and of uncommitted changes are none of its business", async () => {
  await using s = await refineScene(edit("cart.ts"));
  s.repo.git("switch", "-q", "main");
  await s.reviewed("on main");
  s.repo.git("switch", "-q", "feature");
  s.repo.commit("one");
  expect(await s.refine()).toMatchObject({ outcome: "passed", iterations: 0 });
  expect(s.calls()).toEqual([]);
});

test("without quota the run ends at once, with the command that names another agent; no worktree stays", async () => {
  await using s = await refineScene(
    `printf '{"type":"result","subtype":"error","is_error":true,"result":"quota exceeded"}\\n'; exit 1`,
  );
  await s.reviewed("one");
  await expect(s.refine()).rejects.toMatchObject({
    code: "E_QUOTA",
    hint: "Use another one with: roborev refine --agent NAME",
  });
  expect(s.warned).toEqual(["The working tree is as it was."]);
  expect(readdirSync(s.services.lock.trees).filter((name) => name.startsWith("roborev-"))).toEqual([]);
});

test("every branch with an open failed review is refined in its turn, but not the default one; the one before is checked out again", async () => {
  await using s = await refineScene(`git log -1 --format=%s >>"$dir/order"; ${edit("mended.ts")}`);
  await s.reviewed("one");
  for (const branch of ["second", "gone", "-odd", "main"]) {
    s.repo.git("switch", "-q", "main");
    if (branch !== "main") s.repo.git("symbolic-ref", "HEAD", `refs/heads/${branch}`);
    s.repo.git("update-ref", "HEAD", "main");
    await s.reviewed(`on ${branch}`);
  }
  s.repo.git("update-ref", "-d", "refs/heads/gone");
  const runs = async (newestFirst: boolean) => {
    rmSync(s.dir.join("order"), { force: true });
    const done = await refineBranches(s.services, { newestFirst });
    return { ...done, order: existsSync(s.dir.join("order")) && readFileSync(s.dir.join("order"), "utf8") };
  };
  s.repo.git("switch", "-q", "feature");
  const done = await runs(true);
  expect(done.order).toBe("on second\none\n");
  expect(done.runs.map(({ branch, outcome }) => [branch, outcome])).toEqual([
    ["second", "passed"],
    ["feature", "passed"],
  ]);
  expect(done.failures).toEqual([]);
  expect(s.repo.git("branch", "--show-current")).toBe("feature");
  expect(await runs(false)).toMatchObject({ runs: [], failures: [], order: false });
});

test("a branch that is checked out elsewhere does not keep the others from being refined, and is told of", async () => {
  await using s = await refineScene(edit("mended.ts"));
  await s.reviewed("one");
  s.repo.git("switch", "-q", "-c", "second", "main");
  await s.reviewed("two");
  s.repo.git("switch", "-q", "main");
  s.repo.git("worktree", "add", "-q", s.dir.join("elsewhere"), "feature");
  const checkout = { ...s.services.checkout, branch: "main" };
  const done = await refineBranches({ ...s.services, checkout }, { newestFirst: false });
  expect(done.runs).toMatchObject([{ branch: "second", outcome: "passed" }]);
  expect(done.failures).toMatchObject([
    { branch: "feature", message: expect.stringContaining("git switch in") },
  ]);
  expect(s.repo.git("branch", "--show-current")).toBe("main");
});

// Only Linux shows the environment of a process, by which those are known that left the agent's group.
test.skipIf(process.platform !== "linux")(
  "what an agent leaves running ends before its change is taken, and keeps nothing from being removed",
  async () => {
    await using s = await refineScene(
      `setsid sh -c 'echo $$ >"$dir/server"; while sleep 0.02; do echo x >>log.txt; done' >/dev/null 2>&1 &
while [ ! -s log.txt ]; do sleep 0.01; done; ${edit("mended.ts")}`,
    );
    await s.reviewed("one");
    expect(await s.refine()).toMatchObject({ outcome: "passed", iterations: 1 });
    expect(isAlive(Number(readFileSync(s.dir.join("server"), "utf8")))).toBe(false);
    expect(readdirSync(s.services.lock.trees)).toEqual([]);
  },
);
