import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { limitOf } from "../../../src/review/agents/limits.ts";
import { reviewerNames } from "../../../src/review/agents/registry.ts";

const noon = new Date(2026, 5, 15, 12, 0, 0);
const minute = 60_000;
const hour = 60 * minute;
const kind = (message: string, agent = "codex") => limitOf(agent, message, noon).class;

test("A07 quotas are recognised, whichever program reports them", () => {
  for (const message of [
    "Resource exhausted: try later",
    "[API Error: RESOURCE_EXHAUSTED]",
    "error: insufficient_quota",
    "You've hit your usage limit. Try again at 3:04 PM.",
    "You’ve reached your usage limit",
    "Claude AI usage limit reached|1781530000",
    "429 quota_exceeded",
    "429 You exceeded your current quota, please check your plan and billing details",
    "Your credit balance is too low",
  ]) {
    for (const agent of reviewerNames())
      expect([agent, message, kind(message, agent)]).toEqual([agent, message, "quota"]);
  }
});

test("A07 limits of a session, a day or a week are told from quotas", () => {
  for (const message of [
    "You’ve hit your session limit · resets 3pm",
    "You've hit your weekly limit",
    "You've hit your limit · resets 9pm (Europe/Berlin)",
    "5-hour limit reached ∙ resets 3pm",
  ])
    expect([message, kind(message, "claude-code")]).toEqual([message, "session"]);
});

test("A07 what only one program says counts for that one", () => {
  for (const [agent, message, expected] of [
    ["gemini", "You have exhausted your daily quota on this model.", "quota"],
    ["copilot", "402 You have no quota", "quota"],
    ["copilot", "402 You have exceeded your premium request allowance.", "quota"],
    ["copilot", "Sorry, you have hit a weekly rate limit. Try again in 2 hours.", "session"],
    ["cursor", "Error: you hit your usage limit", "quota"],
    ["droid", "402 Ready for more? Reload your tokens at https://app.example", "quota"],
    ["opencode", "Free usage exceeded, add credits", "quota"],
    [
      "grok",
      "Your team has either used all available credits or reached its monthly spending limit.",
      "quota",
    ],
  ] as const) {
    expect([message, kind(message, agent)]).toEqual([message, expected]);
    expect(kind(message, "test")).not.toBe(expected);
  }
});

test("A07 a policy error that contains the word limit is no quota, for any program", () => {
  for (const agent of reviewerNames()) {
    for (const message of [
      "blocked by content policy: outside the limits of acceptable use",
      "the usage limit for attachments is documented elsewhere",
      "policy error: command exceeds the limit that your administrator set",
      "turn limit exceeded",
    ])
      expect([agent, message, kind(message, agent)]).toEqual([agent, message, "none"]);
  }
});

test("A07 throttling and server errors are transient", () => {
  for (const message of [
    "exceeded retry limit, last status: 429 Too Many Requests",
    "API Error: Request rejected (429) · rate limit exceeded (status 429)",
    "stream disconnected before completion: idle timeout",
    "We’re currently experiencing high demand, which may cause temporary errors.",
    "API Error: 529 Overloaded (status 529)",
    "unexpected status 502 Bad Gateway",
    "[API Error: Connection error. (cause: fetch failed)]",
  ])
    expect([message, kind(message)]).toEqual([message, "transient"]);
});

test("A07 a prompt that is too long and a missing login are told apart", () => {
  expect(kind("Prompt is too long · the request is ~250000 tokens (status 400)")).toBe("context-window");
  expect(kind("Your input exceeds the context window of this model.")).toBe("context-window");
  expect(kind("Not logged in · Please run /login")).toBe("login");
  expect(kind("unexpected status 401 Unauthorized: bad key")).toBe("login");
});

describe("A07 the cooldown", () => {
  const wait = (message: string, now = noon) =>
    (limitOf("codex", `quota exceeded, ${message}`, now).until as Date).getTime() - now.getTime();

  test("lasts until the time of day that the message names", () => {
    expect(wait("resets at 3:04 pm")).toBe(3 * hour + 4 * minute);
    expect(wait("Try again at 3:04pm.")).toBe(3 * hour + 4 * minute);
    expect(wait("try again at 15:04")).toBe(3 * hour + 4 * minute);
    expect(wait("You've hit your session limit · resets 3pm")).toBe(3 * hour);
    expect(wait("resets at 12:30 am")).toBe(12 * hour + 30 * minute);
  });

  test("rolls to tomorrow when that time is past", () => {
    expect(wait("resets at 1:05 am")).toBe(13 * hour + 5 * minute);
    expect(wait("resets at 12:00 pm")).toBe(24 * hour);
  });

  test("follows the calendar over a change of the clock", () => {
    const before = new Date(2026, 2, 28, 23, 0, 0);
    const until = new Date(before.getTime() + wait("resets at 9:00 am", before));
    expect([until.getDate(), until.getHours()]).toEqual([29, 9]);
  });

  test("lasts until the date that the message names, for a day at most", () => {
    expect(wait("try again at Jun 15th, 2026 3:04 PM.")).toBe(3 * hour + 4 * minute);
    expect(wait("resets Jun 16 at 9am")).toBe(21 * hour);
    expect(wait("resets on Dec 24, 6:30 pm")).toBe(24 * hour);
    expect(wait("resets Jan 1, 12am", new Date(2026, 11, 31, 20))).toBe(4 * hour);
    expect(wait("resets at 2026-06-15T11:30:00Z", new Date("2026-06-15T10:00:00Z"))).toBe(90 * minute);
  });

  test("counts in the zone that the message names, over a change of its clocks", () => {
    const at = (iso: string) => new Date(iso);
    expect(wait("resets 3pm (UTC)", at("2026-06-15T12:00:00Z"))).toBe(3 * hour);
    expect(wait("resets 9:30pm (America/New_York)", at("2026-06-15T12:00:00Z"))).toBe(13.5 * hour);
    // Clocks in Berlin go from 2:00 to 3:00 in that night.
    expect(wait("resets 4am (Europe/Berlin)", at("2026-03-28T23:00:00Z"))).toBe(3 * hour);
    expect(wait("resets 4am (Europe/Berlin)", at("2026-10-24T22:00:00Z"))).toBe(5 * hour);
    expect(wait("resets 3pm (Nowhere/Land)")).toBe(3 * hour);
  });

  test("is read from a duration", () => {
    expect(wait("quota will reset after 1h30m5s.")).toBe(hour + 30 * minute + 5000);
    expect(wait("try again in 2 hours 5 minutes")).toBe(2 * hour + 5 * minute);
    expect(wait("reset after 90.5s")).toBe(90_500);
    expect(wait("Please retry in 32m.")).toBe(32 * minute);
    expect(wait("try again in 3 days 2 hours 5 minutes.")).toBe(24 * hour);
  });

  test("is at least a minute, at most a day, and the user's when nothing is said", () => {
    expect(wait("reset after 1ms")).toBe(minute);
    expect(wait("reset after 900h")).toBe(24 * hour);
    for (const message of ["see your plan", "resets at 99:99 pm"])
      expect(limitOf("codex", `quota exceeded, ${message}`, noon)).toEqual({ class: "quota" });
    expect(wait(`usage limit reached|${noon.getTime() / 1000 + 7200}`)).toBe(2 * hour);
  });

  test("is within its bounds for any message", () => {
    const phrase = fc.constantFrom("resets at ", "try again at ", "reset after ", "1:05 pm", "3h", "ms", "|");
    fc.assert(
      fc.property(fc.array(fc.oneof(phrase, fc.string())), (parts) => {
        const { until } = limitOf("codex", `quota exceeded, ${parts.join("")}`, noon);
        const ms = until === undefined ? minute : until.getTime() - noon.getTime();
        expect(ms >= minute && ms <= 24 * hour).toBe(true);
      }),
    );
  });

  test("is only told of what a cooldown can mend", () => {
    for (const message of [
      "429 Too Many Requests, try again in 5m",
      "prompt is too long",
      "Not logged in",
      "no",
    ])
      expect(limitOf("codex", message, noon)).not.toHaveProperty("until");
  });
});
