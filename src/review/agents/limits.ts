/** Why a reviewer program failed, as far as its message tells. */
export type FailureKind = "quota" | "transient" | "context-window" | "login" | "other";

export interface Failure {
  kind: FailureKind;
  /** Quota: how long not to ask this program again. */
  cooldownMs?: number;
}

// Substrings of the lower-cased message. Quota and window come first: their messages often carry a 429 or 400 too.
const patterns: readonly [FailureKind, readonly (string | RegExp)[]][] = [
  [
    "quota",
    [
      "resource exhausted",
      "quota exceeded",
      "quota_exceeded",
      "quota exhausted",
      "quota_exhausted",
      "insufficient_quota",
      "exhausted your capacity",
      "capacity exhausted",
      "capacity_exhausted",
      /you(?:'|’)ve hit your (?:\w+ )?(?:usage|session|weekly|daily|monthly|opus|sonnet)?\s?limit/,
      /(?:usage|session|weekly|5-hour|hourly) limit reached/,
      "credit balance is too low",
    ],
  ],
  [
    "context-window",
    [
      "context window",
      "ran out of room",
      "context_length_exceeded",
      "maximum context length",
      "input is too long",
      "prompt is too long",
    ],
  ],
  [
    "login",
    ["not logged in", "please run /login", "invalid api key", "invalid x-api-key", /\b401 unauthorized\b/],
  ],
  [
    "transient",
    [
      "too many requests",
      "rate limit exceeded",
      "rate_limit_error",
      /\bstatus:? 429\b/,
      /\bstatus:? 5\d\d\b/,
      "stream disconnected before completion",
      "internal server error",
      "bad gateway",
      "service unavailable",
      "gateway timeout",
      "high demand",
      "overloaded",
      "connection reset",
      "connection error",
    ],
  ],
];

/** Classifies the message of a reviewer that failed; never used on the text of a review. */
export function classifyFailure(message: string, now: Date): Failure {
  const text = message.toLowerCase();
  const found = patterns.find(([, list]) =>
    list.some((pattern) => (typeof pattern === "string" ? text.includes(pattern) : pattern.test(text))),
  );
  const kind = found?.[0] ?? "other";
  return kind === "quota" ? { kind, cooldownMs: cooldownMs(text, now) } : { kind };
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const defaultCooldownMs = 30 * minuteMs;

/** From now until the time that the message names, between a minute and a day; half an hour when it names none. */
export function cooldownMs(message: string, now: Date): number {
  const text = message.toLowerCase();
  const waitMs = untilClockTime(text, now) ?? durationMs(text) ?? untilEpoch(text, now) ?? defaultCooldownMs;
  return Math.min(dayMs, Math.max(minuteMs, waitMs));
}

/** `resets at 1:05 am`, `try again at 15:04`, `resets 3pm`: the next such time on the local clock. */
function untilClockTime(text: string, now: Date): number | undefined {
  const match = /(?:resets(?: at)?|try again at) +(\d{1,2})(?::(\d{2}))?(?: ?([ap])\.?m\b)?/.exec(text);
  if (!match || (match[2] === undefined && match[3] === undefined)) return undefined;
  let hours = Number(match[1]);
  const minutes = Number(match[2] ?? 0);
  if (hours > (match[3] ? 12 : 23) || minutes > 59) return undefined;
  if (match[3]) hours = (hours % 12) + (match[3] === "p" ? 12 : 0);
  const at = new Date(now);
  at.setHours(hours, minutes, 0, 0);
  // By calendar day, not by 24 hours: a day with a clock change is longer or shorter.
  if (at.getTime() <= now.getTime()) at.setDate(at.getDate() + 1);
  return at.getTime() - now.getTime();
}

const unitsMs: Record<string, number> = { d: dayMs, h: 60 * minuteMs, m: minuteMs, s: 1000, ms: 1 };

/** `reset after 1h30m5s`, `try again in 2 hours 5 minutes`. */
function durationMs(text: string): number | undefined {
  const start = /(?:resets? (?:after|in)|try again in) +/.exec(text);
  if (!start) return undefined;
  const rest = text.slice(start.index + start[0].length, start.index + start[0].length + 80);
  const part =
    /^[\s,]*(?:and )?(\d+(?:\.\d+)?) ?(ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])/;
  const compact = rest.replace(/([a-z])(?=\d)/g, "$1 ");
  let total: number | undefined;
  for (let left = compact; ; ) {
    const match = part.exec(left);
    if (!match) return total;
    const unit = match[2] === "ms" ? "ms" : (match[2] as string)[0];
    total = (total ?? 0) + Number(match[1]) * (unitsMs[unit as string] ?? 0);
    left = left.slice(match[0].length);
  }
}

/** Older Claude Code: `limit reached|1760000400`. */
function untilEpoch(text: string, now: Date): number | undefined {
  const match = /limit reached\|(\d{10})\b/.exec(text);
  return match ? Number(match[1]) * 1000 - now.getTime() : undefined;
}
