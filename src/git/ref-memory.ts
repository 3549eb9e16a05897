import { join } from "node:path";
import { Trail } from "./trail.ts";

/** Notices what an answer about refs depends on. */
export interface RefLook {
  /** A full name, before git is asked about it. */
  at(ref: string): void;
  /** The answer depends on something that cannot be looked at. */
  lose(): void;
}

export const unnoticed: RefLook = { at: () => {}, lose: () => {} };

const maxAnswers = 128;

/** Answers about refs, each remembered as the same value while the refs that it depends on are as they were. */
export class RefMemory<Answer> {
  private readonly known = new Map<string, { trail: Trail; answer: Answer }>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  async of(
    commonDir: string,
    question: string,
    ask: (look: RefLook) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const key = `${commonDir}\0${question}`;
    const known = this.known.get(key);
    if (known?.trail.isUnchanged()) return known.answer;
    this.known.delete(key);
    const trail = new Trail(this.nowMs);
    const look: RefLook = {
      // Of a link the trail sees the link, not what changes behind it.
      at: (ref) => trail.file(join(commonDir, ref))?.isSymbolicLink() && trail.lose(),
      lose: () => trail.lose(),
    };
    look.at("packed-refs");
    // Refs that are no files.
    if (!trail.lacks(commonDir, "reftable")) trail.lose();
    const answer = await ask(look);
    if (!trail.isProvable) return answer;
    if (this.known.size >= maxAnswers) this.known.delete(this.known.keys().next().value as string);
    this.known.set(key, { trail, answer });
    return answer;
  }
}
