import { loadGlobalConfig } from "../config/load.ts";
import { resolveReviewSettings } from "../config/resolve.ts";
import type { Checkout } from "../git/checkout.ts";
import { resolveCommit } from "../git/commit.ts";
import { dirtyDiff } from "../git/diff.ts";
import { branchRange, inclusiveRange, sinceRange } from "../git/range.ts";
import { RoborevError } from "../lib/errors.ts";
import { plural, quotedLabel, singleLine } from "../lib/text.ts";
import { typed } from "./arguments.ts";
import type { Context } from "./command.ts";
import { readRepoConfig } from "./repo-config.ts";

/** What a review is about, pinned to SHAs: a commit that comes a moment later does not shift it. */
export interface Subject {
  gitRef: string;
  branch: string;
  /** The diff itself, where no commit holds it. */
  diff?: string;
  notice?: string;
}

interface Choice {
  commit: string | undefined;
  end: string | undefined;
  sha: string;
  dirty: boolean;
  branch: string | undefined;
  base: string | undefined;
  since: string | undefined;
  type: string | undefined;
}

/** Reads from the flags what is to be reviewed; rejects where there is no such thing. */
export async function chooseSubject(
  context: Pick<Context, "paths"> & { args: Choice },
  checkout: Checkout,
): Promise<Subject> {
  const { args } = context;
  const { branch } = checkout;
  const cwd = checkout.worktreeRoot;
  if (args.dirty) return { gitRef: "dirty", branch, diff: await uncommitted(context, checkout) };
  if (args.branch !== undefined) return branchSubject(checkout, args.branch, args.base);
  if (args.since !== undefined) return rangeSubject(await sinceRange(cwd, args.since), branch);
  if (args.commit !== undefined && args.end !== undefined) {
    return rangeSubject(await inclusiveRange(cwd, args.commit, args.end), branch);
  }
  const ref = args.commit ?? args.sha;
  const parts = ref.split("..");
  if (parts.length === 2 && !ref.includes("...")) {
    const [base, head] = [await commit(cwd, parts[0] || "HEAD"), await commit(cwd, parts[1] || "HEAD")];
    return rangeSubject({ base, head }, branch);
  }
  return { gitRef: await commit(cwd, ref), branch };
}

const rangeSubject = (range: { base: string; head: string }, branch: string): Subject => ({
  gitRef: `${range.base}..${range.head}`,
  branch,
});

async function branchSubject(checkout: Checkout, name: string, base: string | undefined): Promise<Subject> {
  const other = name === "HEAD" ? {} : { branch: name };
  const range = await branchRange(checkout, { ...other, ...(base === undefined ? {} : { base }) });
  const label = quotedLabel(range.branch || "HEAD");
  return {
    ...rangeSubject(range, range.branch),
    notice: `Branch ${label}: ${plural(range.commits.length, "commit")} since ${singleLine(range.baseName)}`,
  };
}

async function commit(cwd: string, ref: string): Promise<string> {
  const sha = await resolveCommit(cwd, ref);
  if (sha !== undefined) return sha;
  throw new RoborevError(`${typed(ref) || "an empty word"} is not a commit of this repository`, {
    code: "E_UNKNOWN_REF",
    ...(ref === "HEAD" ? { hint: "Commit something first, or review it with --dirty." } : {}),
  });
}

const maxDiffBytes = 20 * 1024 * 1024;

async function uncommitted(
  context: Pick<Context, "paths"> & { args: Choice },
  checkout: Checkout,
): Promise<string> {
  const global = await loadGlobalConfig(context.paths().config);
  const repo = await readRepoConfig(checkout);
  const { excludePatterns } = resolveReviewSettings({
    request: context.args.type === undefined ? {} : { reviewType: context.args.type },
    repo,
    global: global.config,
  });
  const diff = await dirtyDiff(checkout, { exclude: excludePatterns });
  if (diff.text === "") {
    throw new RoborevError("nothing to review: there are no uncommitted changes", { code: "E_NO_CHANGES" });
  }
  if (diff.bytes > maxDiffBytes) {
    throw new RoborevError(
      `the uncommitted changes are ${Math.ceil(diff.bytes / 1_048_576)} MB of diff, more than 20`,
      {
        code: "E_TOO_LARGE",
        hint: "Commit in smaller steps, or leave generated files out with exclude_patterns.",
      },
    );
  }
  return diff.text;
}
