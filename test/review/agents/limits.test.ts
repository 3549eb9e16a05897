import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classifyFailure, cooldownMs } from "../../../src/review/agents/limits.ts";

const noon = new Date(2026, 5, 15, 12, 0, 0);
const minute = 60_000;
const hour = 60 * minute;
const kind = (message: string) => classifyFailure(message, noon).kind;

test("A07 quota and session limits are recognised", () => {
  for (const message of [
    "Resource exhausted: try later",
    "error: insufficient_quota",
    "You've hit your usage limit. Try again at 3:04 PM.",
    "You’ve hit your session limit · resets 3pm",
    "You've hit your weekly limit",
    "Claude AI usage limit reached|1781530000",
    "429 quota_exceeded",
  ])
    expect([message, kind(message)]).toEqual([message, "quota"]);
});

test("A07 a policy error that contains the word limit is no quota", () => {
  expect(kind("blocked by content policy: outside the limits of acceptable use")).toBe("other");
  expect(kind("the usage limit for attachments is documented elsewhere")).toBe("other");
});

test("A07 throttling and server errors are transient", () => {
  for (const message of [
    "exceeded retry limit, last status: 429 Too Many Requests",
    "API Error: Request rejected (429) · rate limit exceeded (status 429)",
    "stream disconnected before completion: idle timeout",
    "We’re currently experiencing high demand, which may cause temporary errors.",
    "API Error: 529 Overloaded (status 529)",
    "unexpected status 502 Bad Gateway",
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
  const wait = (message: string, now = noon) => cooldownMs(message, now);

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

  test("is read from a duration", () => {
    expect(wait("quota will reset after 1h30m5s.")).toBe(hour + 30 * minute + 5000);
    expect(wait("try again in 2 hours 5 minutes")).toBe(2 * hour + 5 * minute);
    expect(wait("reset after 90.5s")).toBe(90_500);
  });

  test("is at least a minute, at most a day, and half an hour when nothing is said", () => {
    expect(wait("reset after 1ms")).toBe(minute);
    expect(wait("reset after 900h")).toBe(24 * hour);
    expect(wait("quota exceeded")).toBe(30 * minute);
    expect(wait("resets at 99:99 pm")).toBe(30 * minute);
    expect(wait(`usage limit reached|${noon.getTime() / 1000 + 7200}`)).toBe(2 * hour);
  });

  test("is within its bounds for any message", () => {
    const phrase = fc.constantFrom("resets at ", "try again at ", "reset after ", "1:05 pm", "3h", "ms", "|");
    fc.assert(
      fc.property(fc.array(fc.oneof(phrase, fc.string())), (parts) => {
        const ms = wait(parts.join(""));
        expect(ms >= minute && ms <= 24 * hour).toBe(true);
      }),
    );
  });
});
