import { RoborevError } from "../lib/errors.ts";
import { singleLine } from "../lib/text.ts";

const fullObjectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A whole object id, SHA-1 or SHA-256, in git's own lower case. */
export function isFullSha(text: string): boolean {
  return fullObjectId.test(text);
}

/** Whether git can only read this as one revision: never as an option, a range, an exclusion or more than one line. */
export function isSafeRevision(text: string): boolean {
  return text !== "" && text.length <= 1024 && !/^[-^]|\.\.|[\0-\x1f\x7f]/.test(text);
}

/** `text` itself when it is safe to stand among git's arguments. */
export function safeRevision(text: string): string {
  if (isSafeRevision(text)) return text;
  throw unknownRevision(text);
}

export function unknownRevision(text: string): RoborevError {
  return new RoborevError(`"${singleLine(text).slice(0, 200)}" names no commit in this repository`, {
    code: "E_BAD_REF",
    hint: "Check it with `git log --oneline`.",
  });
}
