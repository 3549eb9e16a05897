import { expect, test } from "bun:test";
import { job, jobs, playWith, review } from "./scene.ts";

const size = { columns: 160, rows: 40 };
const wide = (list = jobs(3)) => playWith(list, { size });
const reviewOf = (id: number, output: string) =>
  ({ kind: "review", jobId: id, review: review(job(id), output) }) as const;

test("with 140 columns and 36 rows the review of the selected job stands beside the list", () => {
  const played = wide();
  expect(played.effects.at(-1)).toEqual({ kind: "load-review", jobId: 3 });
  const text = played.send(reviewOf(3, "Three findings")).lines().join("\n");
  expect(text).toContain("│ #3 shop (codex) · fail");
  expect(text).toContain("Three findings");
  for (const small of [
    { columns: 139, rows: 40 },
    { columns: 160, rows: 35 },
  ])
    expect(playWith(jobs(3), { size: small }).effects).not.toContainEqual({ kind: "load-review", jobId: 3 });
});

test("it follows the selection, and the answer for another job is not shown", () => {
  const moved = wide().press("down");
  expect(moved.effects.at(-1)).toEqual({ kind: "load-review", jobId: 2 });
  const late = moved.send(reviewOf(3, "Of the third")).lines().join("\n");
  expect(late).not.toContain("Of the third");
  expect(moved.send(reviewOf(2, "Of the second")).lines().join("\n")).toContain("Of the second");
});

test("a job without a review says so, and shows its review once it has one", () => {
  const { closed: _, verdict: __, ...bare } = job(1, { status: "running" });
  const running = wide([bare]);
  expect(running.effects.map(({ kind }) => kind)).not.toContain("load-review");
  expect(running.lines().join("\n")).toContain("There is no review yet.");
  const done = running.send({ kind: "job", id: 1, job: job(1) });
  expect(done.effects.at(-1)).toEqual({ kind: "load-review", jobId: 1 });
});

test("Tab gives the scrolling keys to the review, Tab or Esc gives them back", () => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join("\n");
  const focused = wide().send(reviewOf(3, long)).press("tab", "down", "j", "pageDown");
  expect(focused.model.selected).toBe(3);
  expect(focused.model.detail?.scroll).toBeGreaterThan(30);
  expect(focused.press("end").lines().join("\n")).toContain("line 199");
  expect(focused.press("escape", "down").model.selected).toBe(2);
  expect(focused.press("tab", "down").model.selected).toBe(2);
  expect(wide().press("tab", "enter").model.screens).toMatchObject([{ kind: "review", jobId: 3 }]);
});

test("L takes it away and brings it back", () => {
  const without = wide().press("L");
  expect(without.lines().join("\n")).not.toContain("│");
  expect(without.press("L").effects.at(-1)).toEqual({ kind: "load-review", jobId: 3 });
});

test("a change of the job is seen in it", () => {
  const played = wide();
  const after = played.send({ kind: "event", jobId: 3 });
  expect(after.effects.slice(played.effects.length)).toContainEqual({ kind: "load-review", jobId: 3 });
});
