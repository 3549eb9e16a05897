import { writeSync } from "node:fs";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/open.ts";
import { review } from "../store/store-fixture.ts";

// Works until it is killed, and says on standard output what has been acknowledged: `id state` a line.
const path = process.argv[2];
if (path === undefined) throw new Error("usage: store-writer.ts DATABASE");
const store = await openStore(path, { clock: systemClock });
const say = (id: number, state: string) => writeSync(1, `${id} ${state}\n`);

const repoId = store.repos.getOrCreate({ rootPath: "/repo", name: "repo", identity: "" }).id;
store.jobs.requeueRunning();
for (let n = 0; ; n++) {
  const request = { repoId, gitRef: `${process.pid}-${n}`, jobType: "review", agent: "test" } as const;
  const { job } = store.jobs.enqueue({ ...request, reasoning: "fast", branch: "main" });
  say(job.id, "queued");
  const claimed = store.jobs.claim("writer");
  if (claimed === undefined) throw new Error("a queued job was not claimed");
  if (n % 5 === 4) store.jobs.fail(claimed.id, "writer", "on purpose");
  else
    store.jobs.complete(
      claimed.id,
      "writer",
      review({ output: "x".repeat(n % 9000 || 1), verdict: n % 2 ? "P" : "F" }),
    );
  say(claimed.id, n % 5 === 4 ? "failed" : "done");
  if (n % 7 === 6 && store.reviews.setClosed(claimed.id, true, "user")) say(claimed.id, "closed");
}
