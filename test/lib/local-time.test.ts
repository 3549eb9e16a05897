import { expect, test } from "bun:test";
import { localTime, localTimeWithZone } from "../../src/lib/local-time.ts";

const inZone = (zone: string, work: () => string): string => {
  const before = process.env.TZ ?? "UTC";
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    process.env.TZ = before;
  }
};

test("a time is shown where the user is, in the offset of that day", () => {
  expect(localTime("2026-01-02T15:04:59.999Z")).toBe("Jan 02 15:04");
  expect(localTimeWithZone("2026-01-02T15:04:05.000Z")).toBe("Jan 02 15:04 UTC");
  const [winter, summer] = ["2026-01-02T04:04:05Z", "2026-07-02T04:04:05Z"];
  expect(inZone("America/Denver", () => localTimeWithZone(winter))).toBe("Jan 01 21:04 MST");
  expect(inZone("America/Denver", () => localTimeWithZone(summer))).toBe("Jul 01 22:04 MDT");
});

test("what is no time is shown as it came", () => {
  expect([localTime("soon"), localTimeWithZone("soon")]).toEqual(["soon", "soon"]);
});
