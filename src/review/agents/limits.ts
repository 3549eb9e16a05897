import { resetTime } from "./reset-time.ts";

/**
 * Why a reviewer program failed, as far as its message tells.
 * `quota`, `session`: the account has used up what it may use, for good or for a while; asking again before `until`
 * is pointless. `transient`: throttled, or a fault of the service; another try may work. `context-window`: the prompt
 * is too large for the model; another reviewer may take it. `login`: the user has to act.
 */
export type LimitClass = "quota" | "session" | "transient" | "context-window" | "login" | "none";

export interface Limit {
  class: LimitClass;
  /** With `quota` and `session`, where the message says so: when to ask again, between a minute and a day from now. */
  until?: Date;
}

type Pattern = string | RegExp;

/** Substrings of the lower-cased message. Quota and window come first: their messages often carry a 429 or 400 too. */
const patterns: readonly [Exclude<LimitClass, "none">, readonly Pattern[]][] = [
  [
    "session",
    [
      /you(?:'|’)ve (?:hit|reached) your (?:\w+ )?(?:session|5-hour|hourly|daily|weekly|monthly|opus|sonnet)\s+(?:\w+ )?limit/,
      /you(?:'|’)ve (?:hit|reached) your limit\b/,
      /(?:session|5-hour|hourly|daily|weekly) (?:usage )?limit (?:reached|exceeded)/,
    ],
  ],
  [
    "quota",
    [
      "resource exhausted",
      "resource_exhausted",
      "quota exceeded",
      "quota_exceeded",
      "quota exhausted",
      "quota_exhausted",
      "insufficient_quota",
      "exceeded your current quota",
      "exhausted your capacity",
      "capacity exhausted",
      "capacity_exhausted",
      /you(?:'|’)ve (?:hit|reached) your (?:\w+ ){0,2}usage limit/,
      /usage limit (?:has been )?(?:reached|exceeded)/,
      "credit balance is too low",
      "insufficient credits",
      "out of credits",
    ],
  ],
  [
    "context-window",
    [
      "context window",
      "ran out of room",
      "context_length_exceeded",
      "contextoverflowerror",
      "maximum context length",
      "exceeds the maximum number of tokens",
      "input is too long",
      "prompt is too long",
      "prompt as too long",
    ],
  ],
  [
    "login",
    [
      "not logged in",
      "please run /login",
      "authentication required",
      "no authentication information found",
      "invalid api key",
      "invalid x-api-key",
      /\b401 unauthorized\b/,
    ],
  ],
  [
    "transient",
    [
      "too many requests",
      "rate limit exceeded",
      "rate_limit_error",
      "rate limited",
      /\bstatus:? (?:code )?429\b/,
      /\bstatus:? (?:code )?5\d\d\b/,
      "stream disconnected before completion",
      "internal server error",
      "bad gateway",
      "service unavailable",
      "gateway timeout",
      "high demand",
      "overloaded",
      "connection reset",
      "connection error",
      "fetch failed",
    ],
  ],
];

/** What only one program says, or means otherwise than the rest. Looked at first. */
const ownPatterns: Readonly<Record<string, readonly [Exclude<LimitClass, "none">, Pattern][]>> = {
  gemini: [["quota", /exhausted your (?:daily |monthly )?quota/]],
  copilot: [
    ["quota", /exceeded your (?:copilot )?premium request (?:allowance|limit)|you have no quota/],
    ["session", /(?:weekly|session|global) rate limit/],
  ],
  cursor: [["quota", "hit your usage limit"]],
  droid: [["quota", /reload your tokens|exceeded your (?:standard|premium|monthly) usage/]],
  opencode: [["quota", "free usage exceeded"]],
  grok: [["quota", /used all available credits|monthly spending limit/]],
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Classifies the message of a reviewer that failed; never used on the text of a review. `agent` is the reviewer's
 * canonical name. Pure.
 */
export function limitOf(agent: string, text: string, now: Date): Limit {
  const lower = text.toLowerCase();
  const says = (pattern: Pattern) =>
    typeof pattern === "string" ? lower.includes(pattern) : pattern.test(lower);
  const own = Object.hasOwn(ownPatterns, agent) ? (ownPatterns[agent] ?? []) : [];
  const found =
    own.find(([, pattern]) => says(pattern))?.[0] ?? patterns.find(([, list]) => list.some(says))?.[0];
  if (found !== "quota" && found !== "session") return { class: found ?? "none" };
  const reset = resetTime(lower, now);
  if (reset === undefined) return { class: found };
  const waitMs = reset.getTime() - now.getTime();
  return { class: found, until: new Date(now.getTime() + Math.min(dayMs, Math.max(minuteMs, waitMs))) };
}
