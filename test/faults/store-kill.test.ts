import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/open.ts";
import { tempDir } from "../support/temp.ts";
import { killedRun } from "./killed-run.ts";

const kills = 20;
const writer = join(import.meta.dir, "store-writer.ts");

test(`G1 after ${kills} kills at random moments the database is sound and nothing acknowledged is missing`, async () => {
  using dir = tempDir();
  const path = dir.join("reviews.db");
  const last = new Map<number, string>();
  let acknowledged = 0;
  for (let run = 0; run < kills; run++) {
    for (const [id, state] of await killedRun(writer, path, dir.join(`log-${run}`))) {
      last.set(Number(id), state!);
      acknowledged++;
    }
    using db = new Database(path);
    expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  }
  const store = await openStore(path, { clock: systemClock });
  expect(store.check()).toEqual([]);
  for (const [id, state] of last) {
    const job = store.jobs.get(id);
    const seen = {
      id,
      status: job?.status,
      reviewed: store.reviews.byJob(id) !== undefined,
      closed: job?.closed,
    };
    // What came right after the last line may have been stored without being acknowledged.
    if (state === "queued") expect(["queued", "running", "done", "failed"]).toContain(seen.status!);
    else if (state === "failed") expect(seen).toMatchObject({ status: "failed", reviewed: false });
    else expect(seen).toMatchObject({ status: "done", reviewed: true });
    if (state === "closed") expect(seen.closed).toBe(true);
  }
  expect(acknowledged).toBeGreaterThan(kills * 10);
  store.close();
}, 120_000);
