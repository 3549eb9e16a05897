import { expect, setDefaultTimeout, test } from "bun:test";
import type { OpenReviewsResponse } from "../../src/daemon/api/responses.ts";
import { git } from "../support/repo.ts";
import { type Scene, scene } from "./agent-hook/scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

async function open(s: Scene, query: Record<string, string> = {}): Promise<OpenReviewsResponse> {
  const { status, body } = await s.daemon.get(
    `/api/reviews/open?${new URLSearchParams({ path: s.repo.path, ...query })}`,
  );
  expect(status).toBe(200);
  return body;
}
const idsOf = async (s: Scene, query?: Record<string, string>) =>
  (await open(s, query)).reviews.map(({ id }) => id);

test("D44 what fix lists is what the reminder counts, oldest first, each with one line on what was found", async () => {
  await using s = await scene();
  const failed = s.fail(4);
  s.fail(1, "main", { verdict: "P" });
  const [closed] = s.fail(1) as [number];
  await s.close([closed]);
  s.fail(1, "other", { gitRef: "f".repeat(40) });
  s.fail(1, "main", { jobType: "fix" });
  const { reviews, ...place } = await open(s);
  expect(place).toEqual({ tracked: true, branch: "main" });
  expect(reviews.map(({ id }) => id)).toEqual(failed);
  expect(reviews[0]).toMatchObject({ verdict: "F", closed: false, branch: "main", summary: "high: broken" });
  expect(reviews[0]).not.toHaveProperty("prompt");
  const settle = {
    job_id: failed[0],
    commenter: "dev",
    comment: "as meant",
    finding: 1,
    disposition: "refuted",
  };
  expect((await s.daemon.post("/api/comment", settle)).status).toBe(201);
  expect((await open(s)).reviews[0]?.summary).toBe("every finding is dealt with");
  await s.event({});
  const { body } = await s.daemon.get("/api/agent-hook/deliveries");
  expect(body).toMatchObject({ deliveries: [{ review_ids: failed.toReversed() }] });
});

test("C04 another branch is asked for by name, whether it exists or is gone, and all of them at once", async () => {
  await using s = await scene();
  const [main] = s.fail(1) as [number];
  s.repo.git("checkout", "-q", "-b", "side");
  const sha = s.repo.commit("side", { "s.ts": "1" });
  const [side] = s.fail(1, "side", { gitRef: sha }) as [number];
  const [gone] = s.fail(1, "gone", { gitRef: "e".repeat(40) }) as [number];
  s.repo.git("checkout", "-q", "main");
  expect(await idsOf(s)).toEqual([main]);
  expect(await idsOf(s, { branch: "side" })).toEqual([side]);
  expect(await idsOf(s, { branch: "gone" })).toEqual([gone]);
  expect(await idsOf(s, { branch: "main" })).toEqual([main]);
  expect(await idsOf(s, { branch: "--all" })).toEqual([]);
  expect(await idsOf(s, { all_branches: "true" })).toEqual([main, side, gone]);
});

test("C04 a detached HEAD has the reviews of its own commits and of the first that a branch has, no older ones", async () => {
  await using s = await scene();
  const old = s.fail(1, "main", { gitRef: s.repo.git("rev-parse", "HEAD") });
  const base = s.repo.commit("base", { "b.ts": "1" });
  const [ofBase] = s.fail(1, "main", { gitRef: base }) as [number];
  s.repo.commit("later on main", { "l.ts": "1" });
  s.repo.git("checkout", "-q", "--detach", base);
  const own = s.repo.commit("own", { "o.ts": "1" });
  const [ofOwn] = s.fail(1, "", { gitRef: own }) as [number];
  expect((await open(s)).branch).toBe("");
  expect(await idsOf(s)).toEqual([ofBase, ofOwn]);
  expect(await idsOf(s)).not.toContain(old[0] as number);
  s.repo.git("checkout", "-q", "--detach", base);
  expect(await idsOf(s)).toEqual([ofBase]);
});

test("a repository that nobody registered has no open reviews, and a place outside of one is refused", async () => {
  await using s = await scene({ register: false });
  expect(await open(s)).toEqual({ reviews: [], tracked: false, branch: "main" });
  expect((await s.daemon.get(`/api/reviews/open?path=${s.dir.path}`)).status).toBe(400);
  expect((await s.daemon.get("/api/reviews/open")).status).toBe(400);
  git(s.repo.path, "checkout", "-q", "--orphan", "empty");
  await s.register();
  expect(await idsOf(s)).toEqual([]);
});
