import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("every field of the state that scripts may read is told in the README, and none that is not there", () => {
  const interfaces = read("src/reminder/state.ts")
    .split(/^export interface /m)
    .slice(1);
  const fields = ["Session", "PendingReminder", "OpenCommand", "FixSession", "Delivery"].flatMap((name) => {
    const body = interfaces.find((text) => text.startsWith(`${name} {`))?.split("\n}")[0] ?? "";
    return [...body.matchAll(/^ {2}(\w+)\??: /gm)].map((match) => match[1] as string);
  });
  expect(fields.length).toBeGreaterThan(60);
  const section = read("docs/files.md").split("## State\n")[1] ?? "";
  const told = new Set([...section.matchAll(/`([a-z_]+)`/g)].map((match) => match[1] as string));
  expect(fields.filter((field) => !told.has(field))).toEqual([]);
  const others = ["sessions", "fix_sessions", "deliveries", "open_review_ids", "status", "cursor_followup"];
  const values = [
    "failed_reviews",
    "commit",
    "stop",
    "fix_session",
    "context",
    "block",
    "show",
    "comment",
    "close",
  ];
  const known = new Set([...fields, ...others, ...values]);
  expect([...told].filter((word) => !known.has(word))).toEqual([]);
});
