import { RoborevError } from "../lib/errors.ts";
import { quotedLabel, singleLine } from "../lib/text.ts";
import { resolveCommit } from "./commit.ts";
import { gitText, tryGitText } from "./exec.ts";
import { findDefaultBranch, isAncestor } from "./lineage.ts";
import { unknownRevision } from "./revision.ts";

export interface RangeBase {
  name: string;
  sha: string;
}

/**
 * What a branch is compared with: the given base, else `branch.<name>.base`, else its upstream if that is the default
 * branch, else the default branch.
 */
export async function findRangeBase(cwd: string, branch: string, given?: string): Promise<RangeBase> {
  if (given !== undefined) {
    const sha = await resolveCommit(cwd, given);
    if (sha === undefined) throw unknownRevision(given);
    if (given === branch) throw onBase(branch);
    return { name: given, sha };
  }
  const found = await findConfigured(cwd, branch);
  if (found) return found;
  const fallback = await findDefaultBranch(cwd);
  const upstream = branch === "" ? undefined : await findUpstream(cwd, branch);
  const isUpstreamDefault = upstream !== undefined && upstream.branch === fallback?.branch;
  const chosen = isUpstreamDefault ? upstream : fallback;
  if (!chosen) {
    throw new RoborevError("this repository has no default branch to compare with", {
      code: "E_NO_BASE",
      hint: "Name a base with --base.",
    });
  }
  if (branch !== "" && branch === chosen.branch) throw onBase(branch);
  const sha = await resolveCommit(cwd, chosen.ref);
  if (sha === undefined) throw missing(chosen.name);
  return { name: chosen.name, sha };
}

async function findConfigured(cwd: string, branch: string): Promise<RangeBase | undefined> {
  if (branch === "") return undefined;
  const name = await tryGitText(["config", "--get", `branch.${branch}.base`], { cwd });
  if (!name) return undefined;
  if (name === branch) throw onBase(branch);
  const local = await resolveCommit(cwd, `refs/heads/${name}`);
  const remoteName = (await findUpstream(cwd, name))?.ref ?? `refs/remotes/origin/${name}`;
  const remote = local === undefined ? undefined : await resolveCommit(cwd, remoteName);
  // A local base that was not pulled for a while would show commits that are on the remote one already.
  if (
    local !== undefined &&
    remote !== undefined &&
    local !== remote &&
    (await isAncestor(cwd, local, remote))
  )
    return { name: remoteName.replace("refs/remotes/", ""), sha: remote };
  const sha = local ?? (await resolveCommit(cwd, name));
  if (sha === undefined) throw missing(name);
  return { name, sha };
}

/** The configured upstream of a local branch, whether or not it exists. */
async function findUpstream(cwd: string, branch: string) {
  const format = "--format=%(refname)%00%(upstream)%00%(upstream:remoteref)";
  const text = await gitText(["for-each-ref", format, `refs/heads/${branch}`], { cwd });
  for (const line of text.split("\n")) {
    const [refname, ref, remoteRef] = line.split("\0");
    if (refname !== `refs/heads/${branch}` || !ref || !remoteRef) continue;
    return {
      ref,
      name: ref.replace(/^refs\/(remotes|heads)\//, ""),
      branch: remoteRef.replace("refs/heads/", ""),
    };
  }
  return undefined;
}

const onBase = (branch: string) =>
  new RoborevError(`${quotedLabel(branch)} is the base branch itself`, {
    code: "E_ON_BASE",
    hint: "Switch to a feature branch, or name another base with --base.",
  });

const missing = (name: string) =>
  new RoborevError(`the base ${singleLine(name).slice(0, 200)} does not exist here`, {
    code: "E_NO_BASE",
    hint: "Run `git fetch`, or name a base with --base.",
  });
