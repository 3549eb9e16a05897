import type { Place, Question } from "../../../src/reminder/facts.ts";
import { Repository } from "./repository.ts";

interface Review {
  id: number;
  root: string;
  /** Absent: of the working tree as it was. */
  sha?: string;
  /** Empty: not known. */
  branch: string;
  open: boolean;
}

/** Two repositories with three working trees, one of them linked, their reviews, snoozes and registration. */
export class World {
  nowMs = Date.parse("2026-01-02T03:04:05Z");
  readonly worktrees = ["/a", "/a-linked", "/b"];
  readonly reviews: Review[] = [];
  /** Working trees that are gone for a while. */
  private readonly gone = new Set<string>();
  private readonly tracking = new Map<string, boolean | "unknown">();
  private readonly repositories = [new Repository("/a", ["/a", "/a-linked"]), new Repository("/b", ["/b"])];
  private readonly snoozes = new Map<string, number>();

  get now(): Date {
    return new Date(this.nowMs);
  }

  repository(worktree: string): Repository {
    return this.repositories[worktree === "/b" ? 1 : 0] as Repository;
  }

  /** New failed reviews of the n-th newest commit, or of the working tree. */
  fail(worktree: string, what: { nthCommit?: number; count: number; branchless: boolean }): void {
    const repository = this.repository(worktree);
    const { nthCommit, count, branchless } = what;
    const sha = nthCommit === undefined ? undefined : repository.made.at(-1 - nthCommit);
    if (nthCommit !== undefined && sha === undefined) return;
    const branch = sha === undefined ? repository.head(worktree).branch : repository.branchOf(sha);
    for (let n = 0; n < count; n++) {
      this.reviews.push({
        id: this.reviews.length + 1,
        root: repository.root,
        branch: branchless ? "" : branch,
        open: true,
        ...(sha === undefined ? {} : { sha }),
      });
    }
  }

  snooze(worktree: string, forMs: number): void {
    this.snoozes.set(`${worktree} ${this.repository(worktree).head(worktree).branch}`, this.nowMs + forMs);
  }

  isSnoozed(worktree: string, branch: string): boolean {
    return (this.snoozes.get(`${worktree} ${branch}`) ?? 0) > this.nowMs;
  }

  isOpen = (id: number): boolean => this.reviews[id - 1]?.open === true;

  /** `gone`: the working tree itself; else its repository, `unknown`: the database does not answer. */
  track(worktree: string, is: boolean | "unknown" | "gone"): void {
    if (is === "gone") this.gone.add(worktree);
    else this.gone.delete(worktree);
    if (is !== "gone") this.tracking.set(this.repository(worktree).root, is);
  }

  place(worktree: string, named?: string): Place | undefined {
    if (this.gone.has(worktree)) return undefined;
    const repository = this.repository(worktree);
    const { sha, branch } = repository.head(worktree);
    const scope = { worktreeRoot: worktree, trackedRoot: repository.root, head: sha, branch };
    const tracked = this.tracking.get(repository.root) ?? true;
    if (tracked !== true) return { scope, tracked, openFailed: undefined };
    const until = this.snoozes.get(`${worktree} ${named ?? branch}`);
    const isQuiet = this.isSnoozed(worktree, named ?? branch);
    return {
      scope,
      tracked,
      openFailed: isQuiet ? undefined : this.openFailed(worktree),
      ...(repository.root === "/a" ? { identity: "https://a.example/a" } : {}),
      ...(until === undefined ? {} : { snoozedUntil: new Date(until) }),
    };
  }

  /** Ids of the open failed reviews of a checkout, oldest first. */
  openFailed(worktree: string): number[] {
    const repository = this.repository(worktree);
    const { sha, branch } = repository.head(worktree);
    const mine = repository.reach([sha]);
    const trunk = branch === "main" ? new Set<string>() : repository.published("main");
    const isHere = (review: Review) => {
      if (branch === "") return review.sha !== undefined && mine.has(review.sha);
      if (review.branch !== "") return review.branch === branch;
      return review.sha === undefined || (mine.has(review.sha) && !trunk.has(review.sha));
    };
    return this.reviews
      .filter((review) => review.open && review.root === repository.root && isHere(review))
      .map(({ id }) => id);
  }

  answer(question: Question): unknown {
    if (question.ask === "skill") return "unknown";
    if (question.ask === "settled") return question.ids.filter((id) => !this.isOpen(id));
    if (question.ask === "place") return this.place(question.worktree, question.branch);
    const repository = this.repository(question.worktree);
    switch (question.ask) {
      case "ancestor":
        return repository.isAncestor(question.ancestor, question.descendant);
      case "commits":
        return repository.between(question.from, question.to, question.rule, question.sinceMs);
      case "reachable": {
        const reached = repository.reach([question.tip]);
        return question.shas.filter((sha) => reached.has(sha));
      }
    }
  }
}
