import { defined } from "../lib/defined.ts";
import type { GlobalConfig } from "./schema.ts";

/** Whose name a commit carries that was made for the user, each as `Name <mail>`; absent: the user's own, and nobody's. */
export interface CommitCredit {
  author?: string;
  coAuthor?: string;
}

/** What the user's own file says; a repository must not decide that. */
export const commitCredit = (
  global: Pick<GlobalConfig, "fix_commit_author" | "fix_commit_co_authored_by">,
): CommitCredit => defined({ author: global.fix_commit_author, coAuthor: global.fix_commit_co_authored_by });
