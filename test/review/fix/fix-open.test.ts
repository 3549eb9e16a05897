import { expect, setDefaultTimeout, test } from "bun:test";
import { fixNamed, fixOpen } from "../../../src/review/fix/run-fix.ts";
import { fixScene, mend, refuteAll } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const everything = { allBranches: false, newestFirst: false };

test("C04 fix works on the open failed reviews of the current branch only, oldest first, and closes them", async () => {
  await using s = await fixScene(`${mend("a.ts")}; say 'Mended the list.\\nFINDING 1: FIXED - checked'`);
  const first = await s.reviewed("one");
  await s.reviewed("good", "P");
  s.repo.git("checkout", "-q", "-b", "other");
  const elsewhere = await s.reviewed("two");
  s.repo.git("checkout", "-q", "main");
  const second = await s.reviewed("three");
  const { results } = await fixOpen(s.services, everything);
  expect(results.map(({ job_id, outcome, closed }) => [job_id, outcome, closed])).toEqual([
    [first, "fixed", true],
    [second, "fixed", true],
  ]);
  expect(await s.isClosed(elsewhere)).toBe(false);
  const made = s.repo.git("log", "-2", "--reverse", "--format=%h", "--abbrev=7").split("\n");
  const [comment] = await s.comments(first);
  expect(comment).toMatchObject({ responder: "roborev-fix" });
  expect(comment?.response).toBe(
    `Fixed by claude-code in ${made[0]}.\n\nMended the list.\nFINDING 1: FIXED - checked`,
  );
});

test("C04 with --newest-first the newest is first, with --all-branches other branches are in, with --branch only that", async () => {
  await using s = await fixScene(refuteAll);
  const one = await s.reviewed("one");
  s.repo.git("checkout", "-q", "-b", "other");
  const two = await s.reviewed("two");
  s.repo.git("checkout", "-q", "main");
  const ids = async (more: object) =>
    (await fixOpen(s.services, { ...everything, ...more })).results.map(({ job_id }) => job_id);
  const reopen = async (id: number) => s.client.closeReview({ job_id: id, closed: false });
  expect(await ids({ allBranches: true, newestFirst: true })).toEqual([two, one]);
  await reopen(one);
  await reopen(two);
  expect(await ids({ branch: "other" })).toEqual([two]);
  expect(await ids({})).toEqual([one]);
});

test("C04 what a review of a fix finds is dealt with in the same run, and no review twice", async () => {
  await using s = await fixScene("say 'nothing to say'");
  const first = await s.reviewed("one");
  let later: number | undefined;
  const client = {
    ...s.client,
    comment: async (request: Parameters<typeof s.client.comment>[0]) => {
      later ??= await s.reviewed("two"); // as if its review had ended while the first was dealt with
      return s.client.comment(request);
    },
  };
  const { results } = await fixOpen({ ...s.services, client }, everything);
  expect(results.map(({ job_id, outcome }) => [job_id, outcome])).toEqual([
    [first, "unanswered"],
    [later as number, "unanswered"],
  ]);
  expect(s.calls()).toHaveLength(2);
  expect(s.said).toContain(`New: job ${later}`);
});

test("fix stops when the reviews of its own fixes find something round after round", async () => {
  await using s = await fixScene("say 'nothing to say'");
  await s.reviewed("start");
  const client = {
    ...s.client,
    comment: async (request: Parameters<typeof s.client.comment>[0]) => {
      const comment = await s.client.comment(request);
      await s.reviewed(`round of ${request.job_id}`);
      return comment;
    },
  };
  const { results, stopped } = await fixOpen({ ...s.services, client }, everything, 2);
  expect(results).toHaveLength(2);
  expect(stopped).toBe("after 2 rounds the reviews of the fixes still find something (1 review)");
});

test("C04 a named review that passed is closed without an agent; one of another branch is told of", async () => {
  await using s = await fixScene(refuteAll);
  const passed = await s.reviewed("good", "P");
  s.repo.git("checkout", "-q", "-b", "other");
  const failed = await s.reviewed("bad");
  s.repo.git("checkout", "-q", "main");
  const { results } = await fixNamed(s.services, [failed, passed]);
  expect(results.map(({ job_id, outcome, closed }) => [job_id, outcome, closed])).toEqual([
    [passed, "passed", true],
    [failed, "refuted", true],
  ]);
  expect(s.calls()).toHaveLength(1);
  expect(s.said).toContain(`Job ${failed} reviewed branch other; here is main.`);
});

test("every named job is looked at before an agent starts: unknown, closed, running, failed, of another repository", async () => {
  await using s = await fixScene(refuteAll);
  const open = await s.reviewed("bad");
  const closed = await s.reviewed("closed");
  await s.client.closeReview({ job_id: closed, closed: true });
  const queued = (await s.client.enqueue({ repo_path: s.repo.path, git_ref: "HEAD" })) as { id: number };
  const refused = async (id: number, services = s.services) =>
    await fixNamed(services, [open, id]).then(
      () => "",
      (error: Error) => error.message,
    );
  expect(await refused(999)).toBe("there is no job 999");
  expect(await refused(closed)).toBe(`job ${closed} is closed already`);
  expect(await refused(queued.id)).toBe(`job ${queued.id} is queued: there is no review yet`);
  await s.client.cancelJob(queued.id);
  expect(await refused(queued.id)).toBe(`job ${queued.id} is canceled and has no review`);
  const elsewhere = { ...s.services, checkout: { ...s.services.checkout, mainRoot: "/elsewhere" } };
  expect(await refused(open, elsewhere)).toBe(
    `job ${open} belongs to ${s.repo.path}, not to this repository`,
  );
  expect(s.calls()).toHaveLength(0);
});

test("a review that somebody closes meanwhile is left alone", async () => {
  await using s = await fixScene(refuteAll);
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  const client = {
    ...s.client,
    closeReview: async (request: Parameters<typeof s.client.closeReview>[0]) => {
      await s.client.closeReview({ job_id: two, closed: true });
      return s.client.closeReview(request);
    },
  };
  const { results } = await fixOpen({ ...s.services, client }, everything);
  expect(results.map(({ job_id }) => job_id)).toEqual([one]);
  expect(s.said).toContain(`Job ${two} was closed meanwhile.`);
});

test("where nothing is open no agent is even looked for", async () => {
  await using s = await fixScene();
  const services = { ...s.services, agent: () => Promise.reject(new Error("looked for")) };
  expect(await fixOpen(services, everything)).toEqual({
    results: [],
    nothingOpen: { reviews: [], tracked: true, branch: "main" } as never,
  });
});

test("D40 a review that found nothing at or above the floor is left alone and stays open", async () => {
  await using s = await fixScene(refuteAll);
  const id = await s.reviewed("minor", "F", [{ severity: "low", problem: "a typo" }]);
  const services = { ...s.services, settings: { ...s.services.settings, floor: "medium" as const } };
  const { results } = await fixOpen(services, everything);
  expect(results).toMatchObject([{ job_id: id, outcome: "skipped", closed: false }]);
  expect(s.calls()).toHaveLength(0);
  expect(await s.isClosed(id)).toBe(false);
});
