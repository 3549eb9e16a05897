import { truncateUtf8 } from "../lib/text.ts";
import type { Checkout } from "./checkout.ts";
import { commitInfo, emptyTree } from "./commit.ts";
import { decode, gitError, gitFields, runGit } from "./exec.ts";
import { withoutLocalDrivers } from "./local-drivers.ts";
import { type ChangedFile, parseNumstat, touchedPaths } from "./numstat.ts";
import { withObjectsOnly } from "./object-view.ts";
import { reviewPathspecs } from "./pathspec.ts";
import { hiddenTextFiles, literalPathspecs, replaceSections } from "./reveal.ts";
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
  /** For a directory that is gone when the diff is there, or after a crash whenever its owner cleans up. Default: the system's. */
  scratchDirectory?: string;
}

const timeoutMs = 120_000;
const defaultMaxBytes = 32 * 1024 * 1024;
const shape = [
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--unified=3"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"],
];
// `none` so that .gitmodules cannot hide a change.
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
  return withObjectsOnly(cwd, options.scratchDirectory, (env) =>
    compare({ cwd, env, command: objectDiff, revisions: [base, head] }, options),
  );
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
  const comparison = { cwd, command, revisions: [checkout.head ?? (await emptyTree(cwd))] };
  const compared = await compare(comparison, options);
  const sides = { root: cwd, ...(checkout.head === undefined ? {} : { commit: checkout.head }) };
  const tracked = await revealed(comparison, compared, await hiddenTextFiles(sides, compared.files), options);
  const list = ["ls-files", "--others", "--exclude-standard", "-z", "--"];
  const all = await gitFields([...list, ":/"], { cwd });
  const included = new Set(await gitFields([...list, ...reviewPathspecs(options.exclude)], { cwd }));
  const excluded = all.filter((path) => !included.has(path));
  return withUntracked(cwd, tracked, [...included], excluded, options);
}

interface Comparison {
  cwd: string;
  env?: Record<string, string>;
  command: string[];
  revisions: string[];
}

async function compare(comparison: Comparison, options: DiffOptions): Promise<Diff> {
  const { command, revisions } = comparison;
  const specs = reviewPathspecs(options.exclude);
  const [patch, stats, everything] = await Promise.all([
    patchOf(comparison, specs, options),
    gitFields([...command, "--numstat", "-z", ...revisions, "--", ...specs], place(comparison)),
    gitFields([...command, "--name-only", "--no-renames", "-z", ...revisions, "--", ":/"], place(comparison)),
  ]);
  const files = parseNumstat(stats);
  const included = touchedPaths(files);
  return { ...patch, files, excludedFiles: everything.filter((path) => !included.has(path)), isMerge: false };
}

const place = ({ cwd, env }: Comparison) => ({ cwd, timeoutMs, ...(env === undefined ? {} : { env }) });

const patchOf = (comparison: Comparison, specs: string[], options: DiffOptions) =>
  capture(comparison, ["--patch", ...comparison.revisions, "--", ...specs], options);

/** The diff with these files, which an attribute or a driver hides, shown as the text that they are. */
async function revealed(
  comparison: Comparison,
  diff: Diff,
  hidden: ChangedFile[],
  options: DiffOptions,
): Promise<Diff> {
  if (hidden.length === 0 || diff.truncated) return diff;
  const { maxBytes = defaultMaxBytes } = options;
  const asText = { ...comparison, command: [...comparison.command, "--text"] };
  const shown: string[] = [];
  let truncated = false;
  for (const specs of literalPathspecs(hidden)) {
    const patch = await patchOf(asText, specs, options);
    shown.push(patch.text);
    truncated ||= patch.truncated ?? false;
  }
  const { text, files } = replaceSections(diff.text, hidden, shown.join(""));
  const others = diff.files.filter((file) => !hidden.includes(file));
  return { ...diff, ...measured(text, maxBytes, truncated), files: [...others, ...files] };
}

async function capture(comparison: Comparison, rest: string[], { maxBytes = defaultMaxBytes }: DiffOptions) {
  const { cwd, command } = comparison;
  const args = [...command, ...rest];
  const result = await runGit(args, { ...place(comparison), maxBytes });
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
  const result = await withObjectsOnly(cwd, options.scratchDirectory, (env) =>
    runGit(args, { cwd, env, timeoutMs, maxBytes: 4096 }),
  );
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
  const { maxBytes = defaultMaxBytes } = options;
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
