import { expect, test } from "bun:test";
import fc from "fast-check";
import { shownJobs } from "../../src/tui/model.ts";
import { job, jobs, keyNames, keyOf, page, play, playWith } from "./scene.ts";

test("the list is asked for at the start, and the newest job is selected", () => {
  const started = play();
  expect(started.effects.map(({ kind }) => kind)).toEqual(["load-jobs", "load-status", "load-tasks"]);
  expect(playWith(jobs(3)).model.selected).toBe(3);
});

test("the selection stays on its job when newer ones come above it", () => {
  const before = playWith(jobs(5)).press("down", "down");
  expect(before.model.selected).toBe(3);
  const after = before.send({ kind: "event", jobId: 6 }, { kind: "job", id: 6, job: job(6) });
  expect(after.effects).toContainEqual({ kind: "load-job", id: 6 });
  expect(after.model.selected).toBe(3);
  expect(after.model.jobs.map(({ id }) => id)).toEqual([6, 5, 4, 3, 2, 1]);
});

test("C13 hide-closed takes closed, failed and canceled jobs away and moves the selection to what is left", () => {
  const list = [job(4), job(3, { closed: true }), job(2, { status: "failed" }), job(1)];
  const hidden = playWith(list).press("down", "h");
  expect(hidden.effects.at(-1)).toMatchObject({ kind: "load-jobs", query: { closed: false } });
  const shown = hidden.send(page(hidden, list));
  expect(shownJobs(shown.model).map(({ id }) => id)).toEqual([4, 1]);
  const moved = shown.press("down");
  expect(moved.model.selected).toBe(1);
  expect(moved.press("down").model.selected).toBe(1);
  expect(moved.press("up").model.selected).toBe(4);
});

test("a job that is closed while closed ones are hidden leaves the list, and its neighbour is selected", () => {
  const filters = [{ kind: "closed" as const }];
  const played = playWith(jobs(3), { filters }).press("down");
  const after = played.send({ kind: "job", id: 2, job: job(2, { closed: true }) });
  expect(after.model.jobs.map(({ id }) => id)).toEqual([3, 1]);
  expect(after.model.selected).toBe(1);
});

test("C13 Esc takes filters away one by one, the last one first, and never one of the command line", () => {
  const filters = [
    { kind: "repo", path: "/src/shop", name: "shop" },
    { kind: "branch", name: "main" },
    { kind: "closed" },
  ] as const;
  let played = playWith(jobs(2), { filters: [...filters], locked: ["repo"] });
  for (const left of [2, 1, 1]) {
    played = played.press("escape");
    expect(played.model.filters).toHaveLength(left);
  }
  expect(played.model.filters[0]).toEqual(filters[0]);
  expect(played.press("f").model.flash?.isError).toBe(true);
});

test("answers to an earlier question do not fill the list", () => {
  const played = playWith(jobs(2));
  const late = page(played, jobs(9));
  const filtered = played.press("h").send(late);
  expect(filtered.model.jobs).toEqual([]);
});

test("further jobs are asked for before the end of the loaded ones is reached, once", () => {
  const start = playWith(jobs(200, 1000), {}, true);
  const near = start.press("end");
  const asked = near.effects.filter((effect) => effect.kind === "load-jobs" && effect.isMore);
  expect(asked).toMatchObject([{ query: { before: 801 } }]);
  expect(near.press("down", "up", "down").effects).toHaveLength(near.effects.length);
  const more = near.send(page(near, jobs(200, 800), true, true));
  expect(more.model.jobs).toHaveLength(400);
  expect(more.model.selected).toBe(801);
});

test("keys that need a review, a job that runs or one that has ended say why they do nothing", () => {
  const { closed: _, verdict: __, ...bare } = job(1, { status: "running" });
  const running = playWith([bare]);
  expect(running.press("a").model.flash).toMatchObject({ isError: true, text: "Job 1 has no review yet" });
  expect(running.press("r").model.flash?.isError).toBe(true);
  expect(running.press("enter").model.screens).toEqual([]);
  expect(playWith(jobs(1)).press("x").model.flash?.isError).toBe(true);
  expect(playWith([]).press("a", "x", "r", "c", "p", "l", "enter").model.screens).toEqual([]);
});

test("canceling and reviewing again are asked before they are done, and any key but y is a no", () => {
  const running = playWith([job(1, { status: "running" })]);
  expect(running.press("x").lines()[1]).toContain("Cancel job 1? y/n");
  expect(running.press("x", "y").effects.at(-1)).toEqual({ kind: "cancel", jobId: 1 });
  const no = running.press("x", "q");
  expect(no.effects).toEqual(running.effects);
  expect(no.model.question).toBeUndefined();
  expect(playWith(jobs(1)).press("r", "y").effects.at(-1)).toEqual({ kind: "rerun", jobId: 1 });
});

test("q quits, but not with --no-quit; Ctrl-C quits always, from every screen", () => {
  const quit = { kind: "quit" } as const;
  expect(playWith(jobs(1)).press("q").effects.at(-1)).toEqual(quit);
  expect(playWith(jobs(1), { staysOpen: true }).press("q").effects).not.toContainEqual(quit);
  for (const key of ["?", "f", "c", "o", "enter", "p"])
    expect(playWith(jobs(1), { staysOpen: true }).press(key, "C-c").effects.at(-1)).toEqual(quit);
});

test("C13 what was missed while the daemon was away is looked up when it is back", () => {
  const lost = playWith(jobs(2)).send({ kind: "link", link: "lost", problem: "no daemon is listening" });
  expect(lost.lines()[1]).toContain("no daemon is listening");
  const back = lost.send({ kind: "link", link: "live" });
  expect(back.effects.slice(lost.effects.length).map(({ kind }) => kind)).toEqual([
    "load-jobs",
    "load-status",
    "load-tasks",
  ]);
});

test("a click selects the job on that row and a second one opens it; the wheel moves", () => {
  const played = playWith(jobs(5));
  const click = (row: number, isDouble = false) =>
    ({ kind: "mouse", mouse: { kind: "click", row }, isDouble }) as const;
  expect(played.send(click(4)).model.selected).toBe(4);
  expect(played.send(click(0), click(22)).model.selected).toBe(5);
  expect(played.send(click(4, true)).model.screens).toMatchObject([{ kind: "review", jobId: 4 }]);
  const wheel = { kind: "mouse", mouse: { kind: "wheelDown", row: 5 }, isDouble: false } as const;
  expect(played.send(wheel).model.selected).toBe(2);
});

const keys = fc.constantFrom(
  ...keyNames,
  ...[
    "a",
    "b",
    "c",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "o",
    "p",
    "q",
    "r",
    "t",
    "x",
    "y",
    "A",
    "D",
    "F",
    "G",
    "J",
    "L",
    "P",
    "R",
    "T",
    "?",
    " ",
  ],
);

test("whatever is pressed on whatever screen, the frame has the size of the window and the selection is a job of the list", () => {
  const sizes = fc.record({
    columns: fc.integer({ min: 1, max: 220 }),
    rows: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 40 }), fc.nat({ max: 60 }), sizes, (pressed, count, size) => {
      const tasks = jobs(count).map((one) => ({ ...one, job_type: "fix" as const, parent_job_id: 1 }));
      let played = playWith(jobs(count)).send({ kind: "tasks", tasks }, { kind: "resize", size });
      for (const key of pressed) {
        played = played.send({ kind: "key", key: keyOf(key) });
        const lines = played.lines();
        expect(lines.length).toBeLessThanOrEqual(size.rows);
        expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(size.columns);
      }
      const ids = shownJobs(played.model).map(({ id }) => id);
      if (played.model.selected !== undefined) expect(ids).toContain(played.model.selected);
    }),
    { numRuns: 200 },
  );
});
