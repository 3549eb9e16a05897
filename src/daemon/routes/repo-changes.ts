import { Elysia } from "elysia";
import { type Checkout, resolveCheckout } from "../../git/checkout.ts";
import { repoIdentity } from "../../git/identity.ts";
import { RoborevError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { Repo } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import {
  DeleteRepoSchema,
  MergeReposSchema,
  type MoveRepoRequest,
  MoveRepoSchema,
  RenameRepoSchema,
} from "../api/requests.ts";
import type { MergeReposResponse } from "../api/responses.ts";
import { revokeTrust } from "../review-hooks/trust.ts";
import type { Services } from "../services.ts";
import { storedPath } from "../stored-path.ts";

/** Changes to what is known of repositories. None touches a repository itself. */
export function repoChangeRoutes({ database }: Pick<Services, "database">) {
  return new Elysia({ prefix: "/api/repos" })
    .post(
      "/rename",
      async ({ body }): Promise<Repo> => {
        const name = singleLine(body.name);
        if (name === "") throw new RoborevError("the name is empty", { code: "E_INVALID" });
        return database((store) => {
          const repo = requireRepo(store, body.repo_path);
          store.repos.rename(repo.id, name);
          return requireRepo(store, body.repo_path);
        });
      },
      { body: RenameRepoSchema },
    )
    .post("/move", ({ body }) => moveRepo(database, body), { body: MoveRepoSchema })
    .post(
      "/delete",
      ({ body }) =>
        database((store) =>
          store.transaction(() => deleteRepo(store, body.repo_path, body.cascade ?? false)),
        ),
      { body: DeleteRepoSchema },
    )
    .post(
      "/merge",
      ({ body }) =>
        database((store) => store.transaction(() => mergeRepos(store, body.from_path, body.into_path))),
      { body: MergeReposSchema },
    );
}

async function moveRepo(database: Services["database"], request: MoveRepoRequest): Promise<Repo> {
  const checkout = await checkoutAt(request.new_path);
  const identity = await repoIdentity(checkout);
  const rootPath = checkout.mainRoot;
  return database((store) =>
    store.transaction(() => {
      const repo = requireRepo(store, request.repo_path);
      if (repo.root_path === rootPath) return repo;
      if (store.repos.findByRoot(rootPath)) {
        const both = `${shellWord(repo.root_path)} ${shellWord(rootPath)}`;
        throw conflict(`${rootPath} is known already`, `Join the two with: roborev repo merge ${both}`);
      }
      // Another path is another identity where nothing else tells repositories apart.
      const isOther =
        repo.identity !== undefined && !repo.identity.startsWith("local://") && repo.identity !== identity;
      if (isOther) {
        throw conflict(
          `${rootPath} is another repository than ${repo.root_path} was`,
          "Set it up with roborev init; roborev repo merge gives it the old reviews.",
        );
      }
      revokeTrust(store, repo.root_path);
      store.repos.move(repo.id, { rootPath, identity });
      return requireRepo(store, rootPath);
    }),
  );
}

function deleteRepo(store: Store, path: string, cascade: boolean): { deleted_jobs: number } {
  const repo = requireRepo(store, path);
  const jobs = store.repos.list().find(({ id }) => id === repo.id)?.job_count ?? 0;
  if (jobs > 0 && !cascade) {
    throw conflict(`${repo.root_path} has ${plural(jobs, "job")}`, "Delete them as well with --cascade.");
  }
  const running = store.repos.runningJob(repo.id);
  if (running !== undefined) {
    throw conflict(`job ${running} is running`, `Cancel it first: roborev cancel ${running}`);
  }
  revokeTrust(store, repo.root_path);
  store.repos.remove(repo.id);
  return { deleted_jobs: jobs };
}

function mergeRepos(store: Store, fromPath: string, intoPath: string): MergeReposResponse {
  const from = requireRepo(store, fromPath);
  const into = requireRepo(store, intoPath);
  if (from.id === into.id) throw conflict(`${from.root_path} cannot be merged into itself`);
  revokeTrust(store, from.root_path);
  const moved = store.repos.merge(from.id, into.id);
  return { moved_jobs: moved, repo: into };
}

async function checkoutAt(path: string): Promise<Checkout> {
  const checkout = await resolveCheckout(await storedPath(path));
  if (checkout) return checkout;
  throw new RoborevError(`${path} is not inside a git working tree`, { code: "E_NOT_A_REPO" });
}

function requireRepo({ repos }: Store, rootPath: string): Repo {
  const repo = repos.findByRoot(rootPath);
  if (repo) return repo;
  throw new RoborevError(`there is no repository ${rootPath}`, {
    code: "E_NOT_FOUND",
    hint: "roborev repo list shows them.",
  });
}

const conflict = (message: string, hint?: string): RoborevError =>
  new RoborevError(message, { code: "E_CONFLICT", ...(hint === undefined ? {} : { hint }) });
