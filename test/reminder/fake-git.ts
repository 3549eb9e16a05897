import type { Place, Question, SkillFact } from "../../src/reminder/facts.ts";

/** A history of single parents, as far as the policy asks about it. Times are milliseconds. */
export class FakeGit {
  private readonly commits = new Map<string, { parent?: string; published: boolean; atMs: number }>();
  /** What stands where, for questions about other places than the event's. */
  readonly places = new Map<string, Place>();
  /** Reviews that are no open failed ones any more. */
  readonly settled = new Set<number>();
  /** How the skill of the session's harness stands. */
  skill: SkillFact = "unknown";

  commit(sha: string, parent?: string, more: { published?: boolean; atMs?: number } = {}): string {
    this.commits.set(sha, {
      ...(parent === undefined ? {} : { parent }),
      published: more.published ?? false,
      atMs: more.atMs ?? Number.MAX_SAFE_INTEGER,
    });
    return sha;
  }

  /** From `tip` back, itself first. */
  line(tip: string): string[] {
    const line: string[] = [];
    for (let sha: string | undefined = tip; sha !== undefined; sha = this.commits.get(sha)?.parent)
      line.push(sha);
    return line;
  }

  answer(question: Question): unknown {
    switch (question.ask) {
      case "ancestor":
        return this.line(question.descendant).includes(question.ancestor);
      case "reachable":
        return question.shas.filter((sha) => this.line(question.tip).includes(sha));
      case "place":
        return this.places.get(question.worktree);
      case "settled":
        return question.ids.filter((id) => this.settled.has(id));
      case "skill":
        return this.skill;
      case "commits": {
        const known = this.line(question.from);
        const made = (sha: string) => (this.commits.get(sha)?.atMs ?? 0) >= (question.sinceMs ?? Infinity);
        const unpublished = (sha: string) => this.commits.get(sha)?.published === false;
        const counts = {
          unpublished,
          made,
          either: (sha: string) => unpublished(sha) || made(sha),
        }[question.rule];
        return this.line(question.to)
          .filter((sha) => !known.includes(sha) && counts(sha))
          .reverse();
      }
    }
  }
}
