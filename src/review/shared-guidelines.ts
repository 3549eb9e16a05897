import { join } from "node:path";
import type { ReviewSettings } from "../config/resolve.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { Checkout } from "../git/checkout.ts";
import { decode, runGit, runGitChecked } from "../git/exec.ts";
import { findDefaultBranch } from "../git/lineage.ts";
import { readSmallFile } from "../git/small-file.ts";

const fileName = "REVIEW.md";
/** More than that is a book, not guidelines. */
const maxBytes = 64 * 1024;

interface SharedGuidelinesInput {
  dirty: boolean;
  repo: RepoConfig;
  settings: ReviewSettings;
  onWarning(line: string): void;
}

/**
 * The repository's `REVIEW.md`, which stands in for guidelines that its `.roborev.toml` does not set: of the default
 * branch, so that no branch instructs its own reviewer; of the working tree in a review of that, and where there is no
 * default branch. Nothing for a file that is empty or no regular one; one longer than guidelines are is told of.
 */
export async function sharedGuidelines(
  checkout: Pick<Checkout, "worktreeRoot">,
  { dirty, repo, settings, onWarning }: SharedGuidelinesInput,
): Promise<string[]> {
  if (!settings.readsReviewMd || repo.review_guidelines !== undefined) return [];
  const cwd = checkout.worktreeRoot;
  const branch = dirty ? undefined : await findDefaultBranch(cwd);
  const text = branch ? await committedText(cwd, branch.ref) : workingText(cwd);
  if (text === "odd")
    onWarning(`${fileName} of ${cwd} is not read: no regular file of at most ${maxBytes} bytes`);
  return text === undefined || text === "odd" || text.trim() === "" ? [] : [text];
}

async function committedText(cwd: string, ref: string): Promise<string | "odd" | undefined> {
  const entry = decode(
    (await runGitChecked(["ls-tree", ref, "--", `:(top,literal)${fileName}`], { cwd })).stdout,
  );
  if (entry === "") return undefined;
  // A link's blob is the path that it leads to.
  const blob = /^100\d{3} blob ([0-9a-f]+)\t/.exec(entry)?.[1];
  if (blob === undefined) return "odd";
  const { stdout, truncated } = await runGit(["cat-file", "blob", blob], { cwd, maxBytes });
  return truncated ? "odd" : decode(stdout);
}

function workingText(cwd: string): string | "odd" | undefined {
  const bytes = readSmallFile(join(cwd, fileName), maxBytes);
  return bytes === undefined || bytes === "odd" ? bytes : decode(bytes);
}
