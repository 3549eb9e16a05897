import type { Checkout } from "../git/checkout.ts";
import { knownIdentity, repoIdentity } from "../git/identity.ts";
import type { Store } from "../store/store.ts";

export interface TrackedRepo {
  id: number;
  rootPath: string;
  /** As it is stored. */
  identity?: string;
}

/** The registered, active repository of a checkout. Another repository that took its place is not it. */
export async function trackedRepo(
  checkout: Checkout,
  database: <T>(work: (store: Store) => T) => Promise<T>,
): Promise<TrackedRepo | undefined> {
  const repo = await database((store) => store.repos.findByRoot(checkout.mainRoot));
  if (!repo?.active) return undefined;
  const { id, root_path: rootPath, identity } = repo;
  if (identity === undefined) return { id, rootPath };
  const actual = knownIdentity(checkout) ?? (await repoIdentity(checkout));
  return identity === actual ? { id, rootPath, identity } : undefined;
}
