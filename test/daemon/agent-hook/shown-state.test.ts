import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { scene } from "./scene.ts";

test("the sessions route says of a fix session which reviews are left, and stores nothing of that", async () => {
  await using at = await scene();
  const ids = at.fail(4);
  const shown = async () => {
    const { body } = await at.daemon.get("/api/agent-hook/sessions");
    const { fix_sessions: fixes = {} } = body as { fix_sessions?: Record<string, Record<string, unknown>> };
    return Object.values(fixes).map(({ review_ids, open_review_ids }) => [review_ids, open_review_ids]);
  };
  expect(await shown()).toEqual([]);
  expect((await at.event({ turn_id: "t1" })).triggered).toBe(true);
  const [first, ...others] = [...ids].sort((a, b) => b - a);
  expect(await shown()).toEqual([
    [
      [first, ...others],
      [first, ...others],
    ],
  ]);
  await at.daemon.post("/api/review/close", { job_id: first, closed: true });
  expect(await shown()).toEqual([[[first, ...others], others]]);
  for (const id of others) await at.daemon.post("/api/review/close", { job_id: id, closed: true });
  expect(await shown()).toEqual([[[first, ...others], []]]);
  const files = ["state.json", "state.journal"].map((name) => at.dir.join(`agent-hook/${name}`));
  const stored = files.filter(existsSync).map((path) => readFileSync(path, "utf8"));
  expect(stored.join("")).toContain('"review_ids"');
  expect(stored.join("")).not.toContain("open_review_ids");
});
