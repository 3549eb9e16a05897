import { expect, test } from "bun:test";
import { frame } from "../../src/tui/view/frame.ts";
import { job, jobs, playWith, review } from "./scene.ts";

const long = Array.from({ length: 60 }, (_, n) => `Paragraph ${n}.`).join("\n\n");

test("a review is shown with its place, its verdict and its comments, and scrolls within its text", () => {
  const open = playWith(jobs(2)).press("enter");
  expect(open.effects.at(-1)).toEqual({ kind: "load-review", jobId: 2 });
  const comments = [
    { id: 1, responder: "ann", response: "A matter\nof taste", created_at: "2026-01-02T15:01:00.000Z" },
  ];
  const read = open.send({ kind: "review", jobId: 2, review: review(job(2), long, { comments }) });
  expect(read.lines()[0]).toContain("#2 shop (codex) · fail");
  expect(read.lines().join("\n")).toContain("Paragraph 0.");
  const end = read.press("end");
  expect(end.lines().join("\n")).toContain("of taste");
  expect(end.press("down", "down").lines()).toEqual(end.lines());
  expect(end.press("home").lines()).toEqual(read.lines());
  expect(read.press("escape").model.screens).toEqual([]);
});

test("left and right show the review of the job above and below, and the list follows", () => {
  const open = playWith(jobs(3)).press("down", "enter");
  const below = open.press("right");
  expect(below.model.screens).toMatchObject([{ kind: "review", jobId: 3 }]);
  expect(open.press("left").model.screens).toMatchObject([{ kind: "review", jobId: 1 }]);
  expect(open.press("left").model.selected).toBe(1);
});

test("what comes for a screen that was left changes nothing", () => {
  const left = playWith(jobs(2)).press("enter", "escape");
  const late = left.send({ kind: "review", jobId: 2, review: review(job(2), "late") });
  expect(late.model.screens).toEqual([]);
  const other = playWith(jobs(2)).press("enter", "left").send({ kind: "review", jobId: 2, problem: "late" });
  expect(other.lines().join("\n")).not.toContain("late");
});

test("an open review is read again when something happens to its job", () => {
  const open = playWith(jobs(2)).press("enter");
  const told = open.send({ kind: "event", jobId: 2 });
  expect(told.effects.at(-1)).toEqual({ kind: "load-review", jobId: 2 });
});

test("a log follows its end until somebody scrolls up, and again once that one is back at the end", () => {
  const line = (n: number) => `line ${n}\n`;
  const text = Array.from({ length: 50 }, (_, n) => line(n)).join("");
  const log = playWith(jobs(1)).press("l").send({ kind: "log", jobId: 1, text, isAnew: false });
  expect(log.effects.at(-1)).toEqual({ kind: "follow-log", jobId: 1, agent: "codex" });
  expect(log.lines().join("\n")).toContain("line 49");
  const up = log.press("up").send({ kind: "log", jobId: 1, text: line(50), isAnew: false });
  expect(up.lines().join("\n")).not.toContain("line 50");
  expect(
    up
      .press("end")
      .send({ kind: "log", jobId: 1, text: line(51), isAnew: false })
      .lines()
      .join("\n"),
  ).toContain("line 51");
  expect(log.press("g").lines().join("\n")).toContain("line 0");
  expect(log.press("escape").effects.at(-1)).toEqual({ kind: "leave-log" });
});

test("prompt, log and message of the commit are left by the key that opens them", () => {
  for (const key of ["p", "l", "m"]) expect(playWith(jobs(1)).press(key, key).model.screens).toEqual([]);
});

test("a review is closed, copied without its block of data, and commented on", () => {
  const output = 'Bad.\n\n```json\n{"schema_version":2,"verdict":"fail","findings":[]}\n```\n';
  const open = playWith(jobs(1))
    .press("enter")
    .send({ kind: "review", jobId: 1, review: review(job(1), output) });
  expect(open.press("a").effects.at(-1)).toEqual({ kind: "close", jobId: 1, closed: true });
  expect(open.press("y").effects.at(-1)).toEqual({ kind: "copy", text: "Bad.", what: "review" });
  const typed = open.press("c", ..."no q", "C-j", "j", "backspace", "x");
  expect(typed.lines().slice(2, 4)).toEqual(["no q", "x▏"]);
  expect(typed.press("enter").effects.at(-1)).toEqual({ kind: "comment", jobId: 1, text: "no q\nx" });
  expect(open.press("c", "enter").effects).toEqual(open.effects);
});

test("C13 in the search, q, j and k are letters", () => {
  const repos = ["quick", "slow"].map((name) => ({
    path: `/src/${name}`,
    name,
    count: 3,
    isExpanded: false,
  }));
  const open = playWith(jobs(1)).press("f").send({ kind: "repos", repos });
  const branches = [{ name: "jk/try", count: 2 }];
  const known = open.send({ kind: "branches", repo: "/src/slow", branches });
  expect(known.press("q").lines().join("\n")).toContain("quick");
  expect(known.press("q").lines().join("\n")).not.toContain("slow");
  const found = known.press("j", "k");
  expect(found.lines().join("\n")).toContain("jk/try (2)");
  const chosen = found.press("down", "enter");
  expect(chosen.model.filters).toEqual([
    { kind: "repo", path: "/src/slow", name: "slow" },
    { kind: "branch", name: "jk/try" },
  ]);
  expect(chosen.effects.at(-1)).toMatchObject({ query: { repo: "/src/slow", branch: "jk/try" } });
});

test("columns are hidden and shown again, and the choice is kept", () => {
  const without = playWith(jobs(1)).press("o", "down", "down", " ", "escape");
  expect(without.lines()[2]).not.toContain("Branch");
  expect(without.effects.at(-1)).toMatchObject({
    kind: "save-columns",
    hidden: expect.arrayContaining(["branch"]),
  });
});

test("what has become of a finding stands below its review, cleaned", () => {
  const at = "2026-01-02T15:04:05.000Z";
  const finding = (number: number, disposition?: object) =>
    ({ number, severity: "high", problem: "x", ...(disposition ? { disposition } : {}) }) as never;
  const findings = [
    finding(1),
    finding(2, { state: "refuted", by: "ann\u001b[2J", at, message: "not so\nreally" }),
  ];
  const shown = playWith(jobs(1))
    .press("enter")
    .send({ kind: "review", jobId: 1, review: review(job(1), "Two findings", { findings }) });
  const text = shown.lines().join("\n");
  expect(text).toMatch(/── finding 2 refuted: ann.*, Jan 02 15:04\nnot so\nreally/);
  expect(text).not.toContain("finding 1 ");
  expect(text).not.toContain("\u001b[2J");
});

test("looking at the columns writes nothing that nobody decided", () => {
  const looked = playWith(jobs(1)).press("o", "down", "escape");
  expect(looked.effects.map(({ kind }) => kind)).not.toContain("save-columns");
});

test("what was told before is not told on a screen that is opened afterwards", () => {
  const told = playWith(jobs(1)).send({ kind: "done", text: "Comment added to job 1", jobId: 1 });
  expect(told.lines()[1]).toContain("Comment added");
  expect(told.press("F").lines().join("\n")).not.toContain("Comment added");
});

test("columns are moved with J and K, the cursor with them, and never beyond an end", () => {
  const titles = (line = "") => line.trim().split(/ {2,}/);
  const start = playWith(jobs(1)).press("o");
  expect(titles(start.press("K", "escape").lines()[2]).slice(0, 2)).toEqual(["ID", "Ref"]);
  const moved = start.press("J", "J", "escape");
  expect(titles(moved.lines()[2]).slice(0, 4)).toEqual(["ID", "Subject", "Branch", "Ref"]);
  expect(moved.effects.at(-1)).toMatchObject({ order: expect.arrayContaining(["subject", "branch", "ref"]) });
  expect(start.press("J", "J", "K", "K").model.order).toEqual(start.model.order);
  const ordered = playWith(jobs(1), { order: ["pf", "nonsense", "agent", "pf"] });
  expect(titles(ordered.lines()[2]).slice(0, 4)).toEqual(["ID", "P/F", "Agent", "Ref"]);
});

test("C13 nothing of a stranger's text is a command to the terminal", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202etxt\u200b";
  const bad = job(1, {
    branch: evil,
    repo_name: evil,
    agent: evil,
    commit_subject: evil,
    model: evil,
    git_ref: evil,
  });
  const comments = [{ id: 1, responder: evil, response: evil, created_at: evil }];
  let played = playWith([bad], { filters: [{ kind: "branch", name: evil }] });
  const screens = [
    played,
    played
      .press("enter")
      .send({ kind: "review", jobId: 1, review: review(bad, `# ${evil}\n\n\`${evil}\``, { comments }) }),
    played.press("p").send({ kind: "prompt", jobId: 1, job: { ...bad, prompt: evil, command_line: evil } }),
    played.press("m").send({ kind: "commit", jobId: 1, text: evil }),
    played.press("c", evil),
    played
      .press("f")
      .send({ kind: "repos", repos: [{ path: "/r", name: evil, count: 1, isExpanded: true }] }),
    played.send({ kind: "failed", text: evil }),
    played.send({ kind: "link", link: "lost", problem: evil }),
  ];
  for (const palette of [true, false].map((colour) => ({ colour, isLight: false }))) {
    for (const { model } of screens) {
      const text = frame({ ...model, palette }).join("\n");
      // What is left are our own colours.
      expect(text.replace(/\u001b\[[0-9;]*m/g, "")).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b]/,
      );
      expect(text).not.toContain("\u001b[31m\u202e");
    }
  }
  played = screens[1] as typeof played;
  expect(played.lines().join("\n")).toContain("txt");
});
