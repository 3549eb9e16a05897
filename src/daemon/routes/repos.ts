import { Elysia } from "elysia";
import { RepoPathSchema } from "../api/requests.ts";
import type { ReposResponse } from "../api/responses.ts";
import type { Services } from "../services.ts";

export function repoRoutes({ database, enqueue }: Services) {
  return new Elysia({ prefix: "/api/repos" })
    .get("", async (): Promise<ReposResponse> => ({ repos: await database((store) => store.repos.list()) }))
    .post("/register", ({ body }) => enqueue.register(body.repo_path), { body: RepoPathSchema })
    .post(
      "/unregister",
      async ({ body }) => {
        const rootPath = await enqueue.mainRoot(body.repo_path);
        const purge = body.purge ?? false;
        return { outcome: await database((store) => store.repos.unregister(rootPath, { purge })) };
      },
      { body: RepoPathSchema },
    );
}
