import { RoborevError } from "../lib/errors.ts";
import { gitFields, gitText, tryGitText } from "./exec.ts";
import { isFullSha, isSafeRevision, safeRevision } from "./revision.ts";

export interface CommitInfo {
  sha: string;
  author: string;
  subject: string;
  /** The message without its subject. */
  body: string;
  /** Author date, RFC 3339. */
  timestamp: string;
  parents: string[];
}

/** Full SHA of the commit that `ref` names, undefined when it names none. */
export async function resolveCommit(cwd: string, ref: string): Promise<string | undefined> {
  if (!isSafeRevision(ref)) return undefined;
  const sha = await tryGitText(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], { cwd });
  return sha !== undefined && isFullSha(sha) ? sha : undefined;
}

/** What a commit says about itself. */
export async function commitInfo(cwd: string, sha: string): Promise<CommitInfo> {
  // NUL is the one byte that no part of a commit can contain.
  const format = "--format=%H%x00%P%x00%an%x00%aI%x00%s%x00%b%x00";
  const args = ["log", "-1", "--no-patch", "--no-color", format, safeRevision(sha), "--"];
  const [id, parents, author, timestamp, subject, body] = await gitFields(args, { cwd });
  if (id === undefined || !isFullSha(id) || body === undefined) {
    throw new RoborevError(`git log in ${cwd} did not describe ${sha}`, { code: "E_GIT" });
  }
  return {
    sha: id,
    author: author ?? "",
    subject: subject ?? "",
    body: body.trim(),
    timestamp: timestamp ?? "",
    parents: (parents ?? "").split(" ").filter((parent) => parent !== ""),
  };
}

/** First-parent ancestors of a commit, nearest first, the commit itself left out. */
export async function previousCommits(cwd: string, sha: string, count: number): Promise<string[]> {
  if (count <= 0) return [];
  const args = ["rev-list", "--first-parent", "--skip=1", `--max-count=${count}`, safeRevision(sha), "--"];
  return (await gitText(args, { cwd })).split("\n").filter((line) => line !== "");
}

/** The tree without entries, in this repository's hash: what a root commit is compared with. */
export async function emptyTree(cwd: string): Promise<string> {
  return gitText(["hash-object", "-t", "tree", "--stdin"], { cwd, stdin: "" });
}

/** Full id of the tree of a commit. */
export async function treeOf(cwd: string, sha: string): Promise<string> {
  return gitText(["rev-parse", "--verify", `${safeRevision(sha)}^{tree}`], { cwd });
}
