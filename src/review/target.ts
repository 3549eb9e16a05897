import type { EnqueueRequest } from "../daemon/api/requests.ts";
import type { Checkout } from "../git/checkout.ts";
import { type CommitInfo, commitInfo, emptyTree, resolveCommit } from "../git/commit.ts";
import { gitText } from "../git/exec.ts";
import { patchId } from "../git/patch-id.ts";
import { RoborevError } from "../lib/errors.ts";
import type { JobType } from "../store/schema.ts";

/** What a request asks to have reviewed, every ref resolved to full SHAs. */
export interface Target {
  jobType: JobType;
  gitRef: string;
  /** Subject and body of every commit in it. */
  messages: string[];
  commit?: CommitInfo;
  diffContent?: string;
  patchId?: string;
}

export async function targetOf(checkout: Checkout, request: EnqueueRequest): Promise<Target> {
  const ref = request.git_ref ?? "HEAD";
  if (ref === "dirty") return dirtyTarget(request);
  const range = ref.split("..");
  if (range.length === 2) return rangeTarget(checkout, range[0] as string, range[1] as string);
  if (range.length > 2) throw unknownRef(ref);
  return commitTarget(checkout, ref);
}

function dirtyTarget(request: EnqueueRequest): Target {
  if (!request.diff_content?.trim()) {
    throw new RoborevError("a dirty review needs diff_content", { code: "E_INVALID" });
  }
  return { jobType: "dirty", gitRef: "dirty", messages: [], diffContent: request.diff_content };
}

async function commitTarget(checkout: Checkout, ref: string): Promise<Target> {
  const cwd = checkout.worktreeRoot;
  const sha = await resolveCommit(cwd, ref);
  if (sha === undefined) throw unknownRef(ref);
  const [commit, patch] = await Promise.all([commitInfo(cwd, sha), patchId(cwd, sha)]);
  return {
    jobType: "review",
    gitRef: sha,
    commit,
    messages: [`${commit.subject}\n${commit.body}`],
    ...(patch === undefined ? {} : { patchId: patch }),
  };
}

/** `base..head`; the base may be the empty tree, for a range that starts with the root commit. */
export async function rangeTarget(checkout: Checkout, from: string, to: string): Promise<Target> {
  const cwd = checkout.worktreeRoot;
  const empty = await emptyTree(cwd);
  const base = from === empty ? empty : await resolveCommit(cwd, from);
  const head = await resolveCommit(cwd, to || "HEAD");
  if (base === undefined) throw unknownRef(from);
  if (head === undefined) throw unknownRef(to);
  const commits = base === empty ? [head] : [head, `^${base}`];
  const log = await gitText(["log", "--format=%B%x1e", "--max-count=1000", ...commits, "--"], { cwd });
  return {
    jobType: "range",
    gitRef: `${base}..${head}`,
    messages: log.split("\x1e").filter((message) => message.trim() !== ""),
  };
}

/** Whether a branch is one of the names, or matches a pattern, in which `*` stands for anything but a slash. */
export function isExcludedBranch(branch: string, names: string[] = [], patterns: string[] = []): boolean {
  if (branch === "") return false;
  return names.includes(branch) || patterns.some((pattern) => new Bun.Glob(pattern).match(branch));
}

/** Whether every message contains one of the patterns, in any casing. Nothing to look at is never excluded. */
export function isExcludedMessage(target: Target, patterns: string[]): boolean {
  const lower = patterns.map((pattern) => pattern.toLowerCase()).filter((pattern) => pattern !== "");
  if (target.messages.length === 0 || lower.length === 0) return false;
  return target.messages.every((message) => lower.some((pattern) => message.toLowerCase().includes(pattern)));
}

const unknownRef = (ref: string) =>
  new RoborevError(`${ref === "" ? "an empty ref" : ref} names no commit here`, { code: "E_REF" });
