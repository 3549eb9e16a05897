import type { CommitRule } from "../../../src/reminder/facts.ts";

/** What one git command does. `n` chooses among what is there. */
export interface Step {
  op:
    | "commit"
    | "nothing" // a commit that fails
    | "amend"
    | "pick"
    | "alias" // a commit by an alias that nobody recognises
    | "merge"
    | "rebase"
    | "pull"
    | "switch"
    | "create"
    | "detach"
    | "reset"
    | "push";
  n: number;
}

interface Commit {
  parents: string[];
  atMs: number;
  /** Branch that it was made on; empty: a detached HEAD. */
  branch: string;
}

/** Empty branch: detached. */
export interface Head {
  branch: string;
  sha: string;
}

const branchNames = ["main", "f1", "f2", "f3"];
/** What others made is older than any command. */
const monthMs = 30 * 24 * 3_600_000;

/** A repository with its working trees, as far as the policy can ask about it. */
export class Repository {
  private readonly commits = new Map<string, Commit>();
  private readonly branches = new Map<string, string>();
  /** Remote-tracking refs. */
  private readonly remotes = new Map<string, string>();
  private readonly heads = new Map<string, Head>();
  /** Commits made here, in order; what was fetched is not among them. */
  readonly made: string[] = [];

  constructor(
    readonly root: string,
    worktrees: string[],
  ) {
    const first = this.add([], 0, "main");
    this.branches.set("main", first);
    this.remotes.set("main", first);
    for (const [at, worktree] of worktrees.entries()) {
      const branch = branchNames[at] as string;
      this.branches.set(branch, first);
      this.heads.set(worktree, { branch, sha: first });
    }
  }

  head(worktree: string): Head {
    const { branch, sha } = this.heads.get(worktree) as Head;
    return { branch, sha: this.branches.get(branch) ?? sha };
  }

  has = (sha: string): boolean => this.commits.has(sha);
  branchOf = (sha: string): string => (this.commits.get(sha) as Commit).branch;

  reach(tips: Iterable<string>): Set<string> {
    const reached = new Set<string>();
    const open = [...tips];
    for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
      if (reached.has(sha)) continue;
      reached.add(sha);
      open.push(...(this.commits.get(sha)?.parents ?? []));
    }
    return reached;
  }

  /** First parents, from `tip` back, itself first. */
  line(tip: string): string[] {
    const line: string[] = [];
    for (let sha: string | undefined = tip; sha !== undefined; sha = this.commits.get(sha)?.parents[0])
      line.push(sha);
    return line;
  }

  isAncestor = (ancestor: string, of: string): boolean => this.reach([of]).has(ancestor);

  /** What remote-tracking refs reach: all of them, or that of one branch. */
  published(branch?: string): Set<string> {
    return this.reach([...this.remotes].filter(([name]) => (branch ?? name) === name).map(([, sha]) => sha));
  }

  /** As git answers it, by the times of commits. */
  between(from: string, to: string, rule: CommitRule, sinceMs = Number.POSITIVE_INFINITY): string[] {
    const known = this.reach([from]);
    const published = this.published();
    const isMade = (sha: string) => (this.commits.get(sha) as Commit).atMs >= sinceMs;
    const counts = {
      made: isMade,
      unpublished: (sha: string) => !published.has(sha),
      either: (sha: string) => !published.has(sha) || isMade(sha),
    }[rule];
    return this.line(to)
      .filter((sha) => !known.has(sha) && counts(sha))
      .reverse();
  }

  perform(worktree: string, { op, n }: Step, nowMs: number): void {
    const { branch, sha } = this.head(worktree);
    const [parent] = this.parents(sha);
    const others = [...this.branches].filter(([name]) => name !== branch);
    const any = <T>(list: T[]): T | undefined => list[n % list.length];
    const make = (parents: string[]) => {
      const next = this.add(parents, nowMs, branch);
      this.made.push(next);
      return next;
    };
    switch (op) {
      case "commit":
      case "pick":
      case "alias":
        this.move(worktree, branch, make([sha]));
        break;
      case "amend":
        if (parent !== undefined) this.move(worktree, branch, make(this.parents(sha)));
        break;
      case "merge":
        this.move(worktree, branch, this.joined(sha, any(others)?.[1], make));
        break;
      case "rebase": {
        const onto = branch === "main" ? this.remotes.get("main") : this.branches.get("main");
        this.move(worktree, branch, this.replayed(sha, onto, make));
        break;
      }
      case "pull": {
        const base = this.remotes.get(branch);
        if (base === undefined) break;
        const fetched = this.add([base], nowMs - monthMs, branch);
        this.remotes.set(branch, fetched);
        const integrated = n % 2 === 0 ? this.joined(sha, fetched, make) : this.replayed(sha, fetched, make);
        this.move(worktree, branch, integrated);
        break;
      }
      case "switch": {
        const taken = [...this.heads.values()].map((head) => head.branch);
        const chosen = any(others.filter(([name]) => !taken.includes(name)));
        if (chosen) this.heads.set(worktree, { branch: chosen[0], sha: chosen[1] });
        break;
      }
      case "create": {
        const name = any(branchNames) as string;
        if (this.branches.has(name)) break;
        this.branches.set(name, sha);
        this.heads.set(worktree, { branch: name, sha });
        break;
      }
      case "detach": {
        const to = any([sha, parent ?? sha, ...others.map(([, tip]) => tip)]) as string;
        this.heads.set(worktree, { branch: "", sha: to });
        break;
      }
      case "reset":
        if (parent !== undefined) this.move(worktree, branch, parent);
        break;
      case "push":
        if (branch !== "") this.remotes.set(branch, sha);
        break;
      case "nothing":
        break;
    }
  }

  private parents = (sha: string): string[] => (this.commits.get(sha) as Commit).parents;

  /** HEAD after a merge. */
  private joined(sha: string, other: string | undefined, make: (parents: string[]) => string): string {
    if (other === undefined || this.isAncestor(other, sha)) return sha;
    return this.isAncestor(sha, other) ? other : make([sha, other]);
  }

  /** HEAD after a rebase. */
  private replayed(sha: string, onto: string | undefined, make: (parents: string[]) => string): string {
    if (onto === undefined || this.isAncestor(onto, sha)) return sha;
    const known = this.reach([onto]);
    const own = this.line(sha).filter((commit) => !known.has(commit));
    return own.reduce((tip) => make([tip]), onto);
  }

  private move(worktree: string, branch: string, sha: string): void {
    if (branch === "") this.heads.set(worktree, { branch, sha });
    else this.branches.set(branch, sha);
  }

  private add(parents: string[], atMs: number, branch: string): string {
    const sha = `${this.root.slice(1)}${this.commits.size}`;
    this.commits.set(sha, { parents, atMs, branch });
    return sha;
  }
}
