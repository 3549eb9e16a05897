import { truncateUtf8 } from "../lib/text.ts";
import type { Checkout } from "./checkout.ts";
import { commitInfo, emptyTree } from "./commit.ts";
import { decode, gitError, gitFields, runGit } from "./exec.ts";
import { withoutLocalDrivers } from "./local-drivers.ts";
import { type ChangedFile, parseNumstat, touchedPaths } from "./numstat.ts";
import { reviewPathspecs } from "./pathspec.ts";
import { isFullSha, unknownRevision } from "./revision.ts";
import { newFileDiff } from "./untracked.ts";

export interface Diff {
  /** Unified diff of everything that is not excluded. */
  text: string;
  /** Size of `text` in UTF-8. */
  bytes: number;
  /** What `text` changes; empty when there is nothing to review. */
  files: ChangedFile[];
  /** Changed paths that the built-in and the given patterns leave out. */
  excludedFiles: string[];
  isMerge: boolean;
  /** Of a merge: it holds lines that none of its parents has. Without them it is clean. */
  hasConflictHunks?: boolean;
  /** `text` was cut at `maxBytes`. */
  truncated?: boolean;
}

export interface DiffOptions {
  /** Patterns as in `exclude_patterns`; the built-in ones always apply. */
  exclude?: readonly string[];
  /** Default 32 MiB. */
  maxBytes?: number;
}

const timeoutMs = 120_000;
const shape = [
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--unified=3"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"],
];
// Comparing objects starts nothing that a repository configures; `none` so that .gitmodules cannot hide a change.
const objectDiff = ["diff-tree", "-r", ...shape, "--ignore-submodules=none"];
// `dirty`: without looking into submodules, whose own configuration would then apply.
const worktreeDiff = ["diff", ...shape, "-O/dev/null", "--no-relative", "--ignore-submodules=dirty"];

/** What a commit changed; of a merge, against its first parent. */
export async function commitDiff(cwd: string, sha: string, options: DiffOptions = {}): Promise<Diff> {
  const { sha: head, parents } = await commitInfo(cwd, sha);
  const diff = await rangeDiff(cwd, parents[0] ?? (await emptyTree(cwd)), head, options);
  if (parents.length < 2) return diff;
  return { ...diff, isMerge: true, hasConflictHunks: await hasConflictHunks(cwd, head, options) };
}

/** What changed between two commits (full SHAs); `base` may be the empty tree. */
export async function rangeDiff(
  cwd: string,
  base: string,
  head: string,
  options: DiffOptions = {},
): Promise<Diff> {
  for (const sha of [base, head]) if (!isFullSha(sha)) throw unknownRevision(sha);
  return compare({ cwd, command: objectDiff, revisions: [base, head] }, options);
}

/**
 * What the working tree holds beyond HEAD: staged, unstaged and untracked. Filters of the repository's own
 * configuration are not run.
 */
export async function dirtyDiff(
  checkout: Pick<Checkout, "worktreeRoot" | "head">,
  options: DiffOptions = {},
): Promise<Diff> {
  const cwd = checkout.worktreeRoot;
  const command = [...(await withoutLocalDrivers(cwd)), ...worktreeDiff];
  const tracked = await compare(
    { cwd, command, revisions: [checkout.head ?? (await emptyTree(cwd))] },
    options,
  );
  const list = ["ls-files", "--others", "--exclude-standard", "-z", "--"];
  const all = await gitFields([...list, ":/"], { cwd });
  const included = new Set(await gitFields([...list, ...reviewPathspecs(options.exclude)], { cwd }));
  const excluded = all.filter((path) => !included.has(path));
  return withUntracked(cwd, tracked, [...included], excluded, options);
}

interface Comparison {
  cwd: string;
  command: string[];
  revisions: string[];
}

async function compare(comparison: Comparison, options: DiffOptions): Promise<Diff> {
  const { cwd, command, revisions } = comparison;
  const specs = reviewPathspecs(options.exclude);
  const [patch, stats, everything] = await Promise.all([
    capture(cwd, [...command, "--patch", ...revisions, "--", ...specs], options),
    gitFields([...command, "--numstat", "-z", ...revisions, "--", ...specs], { cwd, timeoutMs }),
    gitFields([...command, "--name-only", "--no-renames", "-z", ...revisions, "--", ":/"], {
      cwd,
      timeoutMs,
    }),
  ]);
  const files = parseNumstat(stats);
  const included = touchedPaths(files);
  return { ...patch, files, excludedFiles: everything.filter((path) => !included.has(path)), isMerge: false };
}

async function capture(cwd: string, args: string[], { maxBytes = 32 * 1024 * 1024 }: DiffOptions) {
  const result = await runGit(args, { cwd, timeoutMs, maxBytes });
  if (result.timedOut || (result.exitCode !== 0 && !result.truncated)) throw gitError(args, cwd, result);
  return measured(decode(result.stdout), maxBytes, result.truncated);
}

function measured(text: string, maxBytes: number, truncated: boolean) {
  const cut = truncateUtf8(truncated ? text.replace(/\ufffd+$/, "") : text, maxBytes);
  const isCut = truncated || cut.length < text.length;
  return { text: cut, bytes: Buffer.byteLength(cut), ...(isCut ? { truncated: true } : {}) };
}

async function hasConflictHunks(cwd: string, sha: string, options: DiffOptions): Promise<boolean> {
  const flags = ["--cc", "--no-commit-id", "--patch"];
  const args = [...objectDiff, ...flags, sha, "--", ...reviewPathspecs(options.exclude)];
  const result = await runGit(args, { cwd, timeoutMs, maxBytes: 4096 });
  if (result.timedOut || (result.exitCode !== 0 && !result.truncated)) throw gitError(args, cwd, result);
  return result.stdout.length > 0;
}

async function withUntracked(
  cwd: string,
  tracked: Diff,
  paths: string[],
  excluded: string[],
  options: DiffOptions,
): Promise<Diff> {
  const { maxBytes = 32 * 1024 * 1024 } = options;
  const files = [...tracked.files];
  const parts = [tracked.text];
  let bytes = tracked.bytes;
  for (const path of paths) {
    const added = await newFileDiff(cwd, path);
    if (!added) continue; // gone since it was listed, or a repository of its own
    files.push(added.file);
    if (bytes <= maxBytes) parts.push(added.text);
    bytes += Buffer.byteLength(added.text);
  }
  const text = measured(parts.join(""), maxBytes, tracked.truncated ?? false);
  return { ...tracked, ...text, files, excludedFiles: [...tracked.excludedFiles, ...excluded] };
}
