import { describe, expect, test } from "bun:test";
import { completeAs } from "../support/reviews.ts";
import { enqueueScene } from "./enqueue-scene.ts";

type Scene = Awaited<ReturnType<typeof enqueueScene>>;

/** Ends the job that is next with a failed review. */
function review({ store }: Scene): number {
  const id = store.jobs.claim("w")?.id as number;
  completeAs(store, id, "w", "F");
  return id;
}

const openOn = ({ store }: Scene, branch: string) =>
  store.jobs.openFailed(1).filter((review) => review.branch === branch);

const head = ({ repo }: Scene) => repo.git("rev-parse", "HEAD");

describe("P03 a rebase", () => {
  test("of five commits queues nothing and takes the reviews along", async () => {
    await using s = await enqueueScene();
    const base = head(s);
    s.repo.git("checkout", "-q", "-b", "feature");
    const before: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) {
      before.push(s.repo.commit(name, { [name]: name }));
      await s.hook();
      review(s);
    }
    s.repo.git("checkout", "-q", "main");
    s.repo.commit("main goes on", { main: "1" });
    s.repo.git("rebase", "-q", "main", "feature");
    const after = s.repo.git("rev-list", "--reverse", `${base}..HEAD`, "^refs/heads/main").split("\n");
    const answer = await s.remap(...before.map((sha, n): [string, string] => [sha, after[n] as string]));
    expect(answer).toEqual({ remapped: 5, superseded: 0, skipped: 0 });
    expect(s.jobs().map(({ git_ref, status }) => [git_ref, status])).toEqual(
      after.map((sha) => [sha, "done"]),
    );
    expect(openOn(s, "feature").map(({ gitRef }) => gitRef)).toEqual(after);
  });

  test("that changed a reviewed commit has it reviewed anew, once, and the old review is closed", async () => {
    await using s = await enqueueScene();
    const [a, b] = ["a", "b"].map((name) => s.repo.commit(name, { [name]: name })) as [string, string];
    for (const sha of [a, b]) await s.enqueue({ git_ref: sha, source: "post_commit" });
    const reviewed = [review(s), review(s)];
    s.repo.git("reset", "-q", "--soft", `${a}^`);
    s.repo.git("commit", "-q", "-m", "both");
    const squashed = head(s);
    const mappings: [string, string][] = [
      [a, squashed],
      [b, squashed],
    ];
    expect(await s.remap(...mappings)).toEqual({ remapped: 0, superseded: 2, skipped: 0 });
    expect(await s.remap(...mappings)).toEqual({ remapped: 0, superseded: 0, skipped: 2 });
    const anew = s.jobs().filter((job) => !reviewed.includes(job.id));
    expect(anew).toMatchObject([
      { git_ref: squashed, branch: "main", source: "post_commit", status: "queued" },
    ]);
    for (const id of reviewed)
      expect(s.store.reviews.byJob(id)).toMatchObject({ closed: true, closed_by: "auto" });
    expect(s.store.jobs.openFailed(1)).toEqual([]);
  });

  test("of commits that nobody reviewed, or that are excluded now, queues nothing", async () => {
    await using s = await enqueueScene();
    const unknown = s.repo.commit("a", { a: "a" });
    await s.enqueue({ git_ref: "HEAD~1" });
    s.repo.git("commit", "-q", "--amend", "--allow-empty", "-m", "b");
    s.repo.write("a", "changed");
    s.repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    expect(await s.remap([unknown, head(s)])).toMatchObject({ skipped: 1 });
    expect(s.jobs()).toHaveLength(1);
    const known = s.repo.commit("c", { c: "c" });
    await s.hook();
    s.repo.write(".roborev.toml", 'excluded_commit_patterns = ["wip"]\n');
    s.repo.git("add", "-A");
    s.repo.git("commit", "-q", "--amend", "-m", "wip");
    expect(await s.remap([known, head(s)])).toMatchObject({ superseded: 1 });
    expect(s.jobs()).toHaveLength(2);
  });
});

describe("P04 what becomes of a superseded review", () => {
  test("is closed when nobody has its commit any more, and stays open while the branch does", async () => {
    await using s = await enqueueScene();
    const kept = s.repo.commit("a", { a: "a" });
    await s.hook();
    const open = review(s);
    const gone = s.repo.commit("b", { b: "b" });
    await s.hook();
    const closed = review(s);
    s.repo.write("b", "changed");
    s.repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    await s.remap([gone, head(s)], [kept, head(s)]);
    expect(s.store.reviews.byJob(closed)?.closed).toBe(true);
    expect(s.store.reviews.byJob(open)?.closed).toBe(false);
    expect(s.store.jobs.openFailed(1)).toEqual([]);
  });
});

describe("a review of a branch up to a commit", () => {
  /** The branch up to HEAD, as `post_commit_review = "branch"` asks for it. */
  async function branchScene() {
    const s = await enqueueScene();
    const base = head(s);
    s.repo.git("checkout", "-q", "-b", "feature");
    const upTo = (source = "post_commit") => s.enqueue({ git_ref: `${base}..${head(s)}`, source });
    s.repo.commit("a", { a: "a" });
    const old = s.repo.commit("b", { b: "b" });
    await upTo();
    return { ...s, base, upTo, old };
  }

  test("P04 follows the commit whose message was amended, and is not done again", async () => {
    await using s = await branchScene();
    const reviewed = review(s);
    s.repo.git("commit", "-q", "--amend", "-m", "renamed");
    await s.upTo();
    await s.remap([s.old, head(s)]);
    expect(s.jobs().map(({ git_ref, status }) => [git_ref, status])).toEqual([
      [`${s.base}..${head(s)}`, "done"],
      [`${s.base}..${head(s)}`, "canceled"],
    ]);
    expect(openOn(s, "feature").map(({ jobId }) => jobId)).toEqual([reviewed]);
  });

  test("P04 is superseded by that of the amended content", async () => {
    await using s = await branchScene();
    const reviewed = review(s);
    s.repo.write("b", "changed");
    s.repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    await s.upTo();
    await s.remap([s.old, head(s)]);
    expect(s.store.jobs.get(reviewed)).toMatchObject({ superseded_by: head(s), closed: true });
    expect(s.jobs().at(-1)).toMatchObject({ git_ref: `${s.base}..${head(s)}`, status: "queued" });
    expect(openOn(s, "feature")).toEqual([]);
  });

  test("keeps its findings where nothing else reviews the branch", async () => {
    await using s = await branchScene();
    const reviewed = review(s);
    s.repo.write("b", "changed");
    s.repo.git("commit", "-q", "-a", "--amend", "--no-edit");
    await s.remap([s.old, head(s)]);
    expect(openOn(s, "feature").map(({ jobId }) => jobId)).toEqual([reviewed]);
  });

  test("P04 while it runs, gets its new end when it is over", async () => {
    await using s = await branchScene();
    const { id } = s.store.jobs.claim("w") ?? {};
    s.repo.git("commit", "-q", "--amend", "-m", "renamed");
    const first = head(s);
    s.repo.git("commit", "-q", "--amend", "-m", "renamed again");
    await s.remap([s.old, first]);
    await s.remap([first, head(s)]);
    completeAs(s.store, id as number, "w", "F");
    expect(s.store.jobs.get(id as number)?.git_ref).toBe(`${s.base}..${head(s)}`);
  });
});
