import { expect, test } from "bun:test";
import { shownTasks } from "../../src/tui/model.ts";
import { pageLines } from "../../src/tui/view/page.ts";
import { job, jobs, playWith } from "./scene.ts";

const fix = (id: number, more: object = {}) => {
  const { closed: _, verdict: __, ...bare } = job(id);
  return { ...bare, job_type: "fix" as const, parent_job_id: 1, git_ref: "fix #1", ...more };
};

const withTasks = (...tasks: ReturnType<typeof fix>[]) => playWith(jobs(3)).send({ kind: "tasks", tasks });

test("F asks what the agent should heed and queues a fix of a review that failed, with or without a wish", () => {
  const panel = playWith(jobs(1)).press("F");
  expect(panel.lines()[0]).toBe("Fix #1 in the background");
  expect(panel.press("enter").effects.at(-1)).toEqual({ kind: "fix", jobId: 1, text: "" });
  const wish = panel.press("k", "e", "e", "p", " ", "j", "enter");
  expect(wish.effects.at(-1)).toEqual({ kind: "fix", jobId: 1, text: "keep j" });
  expect(wish.model.screens).toEqual([]);
  expect(panel.press("x", "escape").effects).toEqual(panel.effects);
});

test("F on a review that passed, or where there is none, says why it does nothing", () => {
  for (const verdict of [{ verdict: "P" as const }, { status: "running" as const, verdict: undefined }]) {
    const list = [Object.fromEntries(Object.entries({ ...job(1), ...verdict }).filter(([, value]) => value))];
    const played = playWith(list as never).press("F");
    expect(played.model.screens).toEqual([]);
    expect(played.model.flash).toMatchObject({ isError: true, text: "Job 1 has no review that failed" });
  }
});

test("fixes are never among the jobs: they have a list of their own, and the queue says when one is ready", () => {
  const played = withTasks(fix(5, { status: "running" }));
  expect(played.effects[0]).toMatchObject({ query: { exclude_job_type: "fix" } });
  expect(played.lines()[1]).toContain("1 fix under way");
  const ready = played.send({ kind: "job", id: 5, job: fix(5) });
  expect(ready.model.jobs.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(ready.lines()[1]).toContain("1 fix ready: T");
  const list = ready.press("T").lines();
  expect(list[0]).toBe("Fixes");
  expect(list.join("\n")).toMatch(/> ready +5 +1 /);
});

test("A applies and R makes anew, after a question, and only what is ready", () => {
  const at = withTasks(fix(7, { status: "running" }), fix(6, { status: "applied" }), fix(5)).press("T");
  expect(at.press("A").model.flash?.text).toBe("Job 7 is not ready yet");
  expect(at.press("down", "A").model.flash?.text).toBe("Job 6 was applied already");
  const ready = at.press("down", "down");
  expect(ready.press("A").lines()[1]).toContain("Apply the patch of job 5 and commit it? y/n");
  expect(ready.press("A", "y").effects.at(-1)).toEqual({ kind: "apply", jobId: 5 });
  expect(ready.press("A", "n").effects).toEqual(ready.effects);
  expect(ready.press("R", "y").effects.at(-1)).toEqual({ kind: "rebase", jobId: 5 });
  expect(at.press("x", "y").effects.at(-1)).toEqual({ kind: "cancel", jobId: 7 });
});

test("the lines of a large patch are made once, not at every key, and anew for another width, patch or problem", () => {
  const { model } = playWith(jobs(2));
  const text = "+x\n".repeat(1_000);
  const shown = { kind: "patch", jobId: 5, text, scroll: 0 } as const;
  const lines = pageLines(model, shown);
  expect(lines).toHaveLength(1_000);
  expect(pageLines(model, { ...shown, scroll: 7 })).toBe(lines);
  const narrow = { ...model, size: { ...model.size, columns: 1 } };
  expect(pageLines(narrow, shown)).toHaveLength(2_000);
  expect(pageLines(model, { ...shown, text: "-y\n" })).toHaveLength(1);
  const log = { kind: "log", jobId: 5, text: "-y\n", scroll: 0, follows: true } as const;
  expect(pageLines(model, log)).toEqual(["-y"]);
  expect(pageLines(model, { ...log, problem: "gone" })).toEqual(["-y", "gone"]);
});

test("Enter shows the patch, P the review, l the log, and Esc leads back to the fixes", () => {
  const at = withTasks(fix(5)).press("T");
  const patch = at
    .press("enter")
    .send({ kind: "patch", jobId: 5, text: "--- a/x\n+++ b/x\n-old\n+new\u001b[2J\n" });
  expect(patch.lines().join("\n")).toContain("+new");
  expect(patch.lines().join("\n")).not.toContain("\u001b[2J");
  expect(patch.press("s").effects.at(-1)).toEqual({ kind: "save-patch", jobId: 5 });
  expect(patch.press("A", "y").effects.at(-1)).toEqual({ kind: "apply", jobId: 5 });
  expect(patch.press("escape").model.screens).toEqual([{ kind: "tasks" }]);
  expect(at.press("P").effects.at(-1)).toEqual({ kind: "load-review", jobId: 1 });
  expect(at.press("l").effects.at(-1)).toEqual({ kind: "follow-log", jobId: 5, agent: "codex" });
  expect(at.press("l", "escape", "T").model.screens).toEqual([]);
});

test("only fixes of the repository that is looked at are shown", () => {
  const tasks = [fix(6, { repo_path: "/src/other" }), fix(5)];
  const filters = [{ kind: "repo" as const, path: "/src/shop", name: "shop" }];
  const played = playWith(jobs(1), { filters }).send({ kind: "tasks", tasks });
  expect(shownTasks(played.model).map(({ id }) => id)).toEqual([5]);
  expect(played.press("T").lines().join("\n")).not.toMatch(/\b6\b/);
  expect(playWith(jobs(1)).send({ kind: "tasks", tasks: [] }).press("T").lines().join("\n")).toContain(
    "No fixes yet",
  );
});
