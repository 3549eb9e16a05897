import type { Store } from "../../store/store.ts";

// Which hooks of a repository its user has read and allowed to run. By their content: another content is not trusted.

const keyOf = (rootPath: string) => `hook_trust:${rootPath}`;

/** One per branch that has other hooks is plenty. */
const maxTrusted = 32;

export function isTrusted({ kv }: Pick<Store, "kv">, rootPath: string, digest: string): boolean {
  return trustedDigests(kv, rootPath).includes(digest);
}

/** What was trusted before stays so: a branch may have other hooks. */
export function trustHooks(store: Pick<Store, "kv">, rootPath: string, digest: string): void {
  const known = trustedDigests(store.kv, rootPath).filter((other) => other !== digest);
  store.kv.set(keyOf(rootPath), JSON.stringify([digest, ...known].slice(0, maxTrusted)));
}

/** false: nothing was trusted. */
export function revokeTrust({ kv }: Pick<Store, "kv">, rootPath: string): boolean {
  if (trustedDigests(kv, rootPath).length === 0) return false;
  kv.set(keyOf(rootPath), "[]");
  return true;
}

function trustedDigests(kv: Store["kv"], rootPath: string): string[] {
  return JSON.parse(kv.get(keyOf(rootPath)) ?? "[]") as string[];
}
