import type { EnqueueRequest } from "../../src/daemon/api/requests.ts";
import type { Job } from "../../src/store/schema.ts";
import { testDaemon } from "../support/daemon.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

/** A daemon without workers and a repository, whose built-in reviewer is the default. */
export async function enqueueScene() {
  const dir = tempDir({ "data/config.toml": 'default_agent = "test"\n' });
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"));
  const enqueue = (request: Partial<EnqueueRequest>) =>
    daemon.post("/api/enqueue", { repo_path: repo.path, ...request });
  return {
    dir,
    repo,
    daemon,
    store: daemon.parts.services.store,
    enqueue,
    /** As `post-commit` asks for what HEAD is. */
    hook: async () => (await enqueue({ git_ref: "HEAD", source: "post_commit" })).body as Job,
    /** As `post-rewrite` tells it. */
    remap: async (...mappings: [oldSha: string, newSha: string][]) =>
      (
        await daemon.post("/api/remap", {
          repo_path: repo.path,
          mappings: mappings.map(([old_sha, new_sha]) => ({ old_sha, new_sha })),
        })
      ).body as { remapped: number; superseded: number; skipped: number },
    /** Every job, oldest first, as `ref status`. */
    jobs: () => daemon.parts.services.store.jobs.list({ limit: 0 }).jobs.toReversed(),
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}
