import type { RepoConfig } from "../config/schema.ts";
import { findCheckout } from "../git/checkout.ts";

/** Says so when what the working tree sets has no effect yet, because a branch must not decide it. */
export async function guardNote(directory: string, key: string): Promise<string[]> {
  const checkout = await findCheckout(directory);
  if (!checkout) return [];
  const { decidingCopy, readRepoCopies } = await import("../review/repo-config.ts");
  try {
    const copies = await readRepoCopies(checkout, { dirty: false, onWarning: () => {} });
    const { file } = decidingCopy(key as keyof RepoConfig, copies);
    if (file === copies.own.file) return [];
    return [`A branch does not decide this for itself: reviews of commits follow ${file}.`];
  } catch {
    return []; // what is wrong with the file is told anyway
  }
}
