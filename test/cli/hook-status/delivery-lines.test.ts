import { expect, test } from "bun:test";
import { deliveryLines } from "../../../src/cli/hook-status/delivery-lines.ts";
import { idList } from "../../../src/cli/hook-status/waiting-lines.ts";
import type { DeliveryRecord } from "../../../src/daemon/api/responses.ts";
import { deliveryRecord, now } from "./report.ts";

const rows = (...deliveries: Partial<DeliveryRecord>[]) =>
  deliveryLines(deliveries.map(deliveryRecord), now).map((line) => line.split(/ {2,}/));

test("D28 every stage has its word, and acting says by what", () => {
  const stages = rows(
    { stage: "decided" },
    { stage: "answered" },
    { stage: "continued", confirmed: true },
    { stage: "acted", confirmed: true },
    ...(["show", "comment", "close", "fix-done"] as const).map(
      (acted_by) => ({ stage: "acted", confirmed: true, acted_by }) as const,
    ),
  ).map((row) => row[3]);
  expect(stages).toEqual([
    "Stage",
    "decided",
    "answered",
    "continued",
    "acted",
    "acted: show",
    "acted: comment",
    "acted: close",
    "acted: fix-done",
  ]);
});

test("every trigger has its word", () => {
  const by = ["failed_reviews", "commit", "stop", "fix_session"] as const;
  expect(rows(...by.map((triggered_by) => ({ triggered_by }))).map((row) => row[2])).toEqual([
    "Because of",
    "reviews",
    "commits",
    "turns",
    "unfinished",
  ]);
});

test("as many reviews are named as there is room for, of the others the number", () => {
  const ids = (...review_ids: number[]) => rows({ review_ids })[1]?.[4];
  expect([ids(3), ids(4, 3, 2, 1), ids(104, 103, 102, 101)]).toEqual(["3", "4, 3, 2, 1", "104, 103 +2"]);
  expect(ids(123_456_789, 123_456_788)).toBe("123456789 +1");
  expect(idList([], 12)).toBe("");
  expect(
    idList(
      Array.from({ length: 50 }, (_, n) => 50 - n),
      12,
    ),
  ).toBe("50, 49 +48");
});

test("the place is the directory and the branch, each cut where it is too long", () => {
  const { branch: _, ...detached } = deliveryRecord({ worktree: "/src/wt" });
  expect(deliveryLines([detached], now)[1]).toEndWith("  wt (detached)");
  const where = (worktree: string, branch: string) => rows({ worktree, branch })[1]?.[5];
  expect(where("/", "main")).toBe('/ "main"');
  expect(where(`/src/${"d".repeat(99)}`, "b".repeat(99))).toBe(`${"d".repeat(23)}… "${"b".repeat(31)}…"`);
});
