import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Checkout, resolveCheckout } from "../../git/checkout.ts";
import { RoborevError } from "../../lib/errors.ts";
import type { Store } from "../../store/store.ts";
import { type HookTrustRequest, HookTrustSchema } from "../api/requests.ts";
import type { HookTrustResponse, RepoHooksResponse } from "../api/responses.ts";
import { readRepoHooks, repoHooksFile } from "../review-hooks/repo-hooks.ts";
import { isTrusted, revokeTrust, trustHooks } from "../review-hooks/trust.ts";
import type { Services } from "../services.ts";
import { storedPath } from "../stored-path.ts";

const WhereSchema = Type.Object({ path: Type.String({ minLength: 1, maxLength: 4096 }) });

/** Which hooks a repository asks for, and whether its user lets them run. */
export function hookTrustRoutes(services: Pick<Services, "database">) {
  return new Elysia({ prefix: "/api/repos" })
    .get("/hooks", ({ query }) => hooksOf(services, query.path), { query: WhereSchema })
    .post("/trust", ({ body }) => changeTrust(services, body), { body: HookTrustSchema });
}

async function hooksOf({ database }: Pick<Services, "database">, path: string): Promise<RepoHooksResponse> {
  const { mainRoot, worktreeRoot } = await checkoutAt(path);
  const found = readRepoHooks(worktreeRoot);
  const trusted = await database((store) => {
    requireTracked(store, mainRoot);
    return found !== undefined && isTrusted(store, mainRoot, found.digest);
  });
  const place = { repo_path: mainRoot, file: repoHooksFile(worktreeRoot), trusted };
  return { hooks: [], problems: [], ...found, ...place };
}

async function changeTrust(
  { database }: Pick<Services, "database">,
  { repo_path: path, digest }: HookTrustRequest,
): Promise<HookTrustResponse> {
  const { mainRoot, worktreeRoot } = await checkoutAt(path);
  if (digest !== undefined && readRepoHooks(worktreeRoot)?.digest !== digest) {
    throw new RoborevError(`the hooks in ${repoHooksFile(worktreeRoot)} are not those that were shown`, {
      code: "E_CONFLICT",
      hint: "Read them again with: roborev repo trust",
    });
  }
  return database((store) => {
    requireTracked(store, mainRoot);
    if (digest === undefined)
      return { repo_path: mainRoot, trusted: false, changed: revokeTrust(store, mainRoot) };
    const changed = !isTrusted(store, mainRoot, digest);
    if (changed) trustHooks(store, mainRoot, digest);
    return { repo_path: mainRoot, trusted: true, changed };
  });
}

async function checkoutAt(path: string): Promise<Checkout> {
  const checkout = await resolveCheckout(await storedPath(path));
  if (checkout) return checkout;
  throw new RoborevError(`${path} is not inside a git working tree`, { code: "E_NOT_A_REPO" });
}

function requireTracked({ repos }: Store, rootPath: string): void {
  if (repos.findByRoot(rootPath)?.active) return;
  throw new RoborevError(`${rootPath} is not set up for reviews, no hook runs here`, {
    code: "E_NOT_TRACKED",
    hint: "Set it up with: roborev init",
  });
}
