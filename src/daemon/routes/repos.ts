import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { resolveCheckout } from "../../git/checkout.ts";
import { RepoPathSchema } from "../api/requests.ts";
import type { ReposResponse, ResolveRepoResponse } from "../api/responses.ts";
import { revokeTrust } from "../review-hooks/trust.ts";
import type { Services } from "../services.ts";
import { storedPath } from "../stored-path.ts";
import { trackedRepo } from "../tracked-repo.ts";

const ListSchema = Type.Object({
  /** Root paths below this directory. */
  prefix: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  /** Only its jobs are counted, and a repository without one is left out; empty: jobs without a branch. */
  branch: Type.Optional(Type.String({ maxLength: 1024 })),
});

const ResolveSchema = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 4096 }),
  /** Whose snooze is asked for; empty: a detached HEAD's. Left out: that of HEAD as it is. */
  branch: Type.Optional(Type.String({ maxLength: 1024 })),
});

export function repoRoutes(services: Services) {
  const { database, enqueue } = services;
  return new Elysia({ prefix: "/api/repos" })
    .get(
      "",
      async ({ query }): Promise<ReposResponse> => {
        const repos = await database((store) => store.repos.list(query));
        return { repos, total_count: repos.reduce((sum, { job_count }) => sum + job_count, 0) };
      },
      { query: ListSchema },
    )
    .get("/resolve", ({ query }) => resolveRepo(services, query), { query: ResolveSchema })
    .post("/register", ({ body }) => enqueue.register(body.repo_path), { body: RepoPathSchema })
    .post(
      "/unregister",
      async ({ body }) => {
        const rootPath = await enqueue.mainRoot(body.repo_path);
        const purge = body.purge ?? false;
        const outcome = await database((store) => {
          revokeTrust(store, rootPath);
          return store.repos.unregister(rootPath, { purge });
        });
        return { outcome };
      },
      { body: RepoPathSchema },
    );
}

/** What a hook event in this place would find: whether it is reminded here at all, and until when not. */
async function resolveRepo(
  { clock, database }: Services,
  query: Static<typeof ResolveSchema>,
): Promise<ResolveRepoResponse> {
  const path = await storedPath(query.path);
  const checkout = await resolveCheckout(path);
  if (checkout && (await trackedRepo(checkout, database)) === undefined) return { tracked: false };
  // Without a working tree (a bare repository, a directory that is gone) the path can still be a root.
  const { mainRoot, worktreeRoot, branch } = checkout ?? { mainRoot: path, worktreeRoot: path, branch: "" };
  return database((store) => {
    const repo = store.repos.findByRoot(mainRoot);
    if (!repo?.active) return { tracked: false };
    const until = store.snoozes.until(repo.id, worktreeRoot, query.branch ?? branch, clock.now());
    const { root_path, identity, name } = repo;
    return {
      tracked: true,
      repo: {
        root_path,
        name,
        ...(identity === undefined ? {} : { identity }),
        ...(until === undefined ? {} : { agent_hook_snoozed_until: until.toISOString() }),
      },
    };
  });
}
