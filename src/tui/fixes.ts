import type { Job } from "../store/schema.ts";

/** Background fixes, as the program around the screens does them. Each rejects with why it did not. */
export interface TuiFixes {
  /** Queues one of a review; the wish is what the agent should heed besides, or empty. */
  queue(parentId: number, wish: string): Promise<Job>;
  /** Applies the patch to the checkout of its branch and commits it; resolves to what is told of that. */
  apply(id: number): Promise<string>;
  /** Has it made anew on the newest commit. */
  rebase(id: number): Promise<Job>;
  /** Writes a patch to a file that was not there; resolves to its path. */
  save(id: number, patch: Uint8Array): Promise<string>;
}
