import { parseGoDuration } from "../lib/duration.ts";
import { UsageError } from "../lib/errors.ts";

/** Milliseconds of `--timeout`: an integer counts seconds, anything else is a duration of whole seconds. */
export function parseTimeout(text: string): number {
  const trimmed = text.trim();
  const ms = /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) * 1000 : parseGoDuration(trimmed);
  if (ms % 1000 !== 0 || !Number.isSafeInteger(ms)) {
    throw new UsageError(`timeout must be a whole number of seconds, got ${text}`, { code: "E_TIMEOUT" });
  }
  return ms;
}
