import { expect, test } from "bun:test";
import { join } from "node:path";
import { createLiveLine } from "../../src/cli/live-line.ts";
import { createOutput } from "../../src/cli/output.ts";
import { fakeDaemon } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { onTerminal } from "../support/terminal.ts";
import { waitFor } from "../support/wait.ts";
import { testJob, testReview } from "./fixtures.ts";

/** A terminal of some width, a clock, and the line that is on it now. */
function screen(columns: number) {
  const s = { nowMs: 0, all: "", line: "", writes: 0 };
  const write = (text: string) => {
    s.writes++;
    s.all += text;
    s.line = (s.line + text).split("\r\x1b[K").at(-1)?.split("\n").at(-1) ?? "";
  };
  return { ...{ s, write }, columns: () => columns, now: () => s.nowMs };
}

test("what is waited for stands on the last line with the time, makes room for what is printed, and goes", async () => {
  const at = screen(30);
  using line = createLiveLine(at, at.now);
  {
    using _ = line.show("Waiting for\n\x1b[2Jjob 7");
    at.s.nowMs = 3000;
    await waitFor("the line", () => at.s.line.includes("(3s)"));
    expect(at.s.line.slice(1)).toBe(" Waiting for [2Jjob 7 (3s)");
    line.hide();
    expect(at.s.line).toBe("");
    at.write("printed\n");
    await waitFor("the line again", () => at.s.line !== "");
    {
      using __ = line.show("Starting the daemon, which takes long");
      at.s.nowMs = 65_000;
      await waitFor(
        "the newest wait",
        () => at.s.line.slice(1) === " Starting the daemon, which t".slice(0, 28),
      );
    }
    await waitFor("the first one", () => at.s.line.slice(1) === " Waiting for [2Jjob 7 (1m05s)".slice(0, 28));
  }
  expect(at.s.line).toBe("");
});

test("nothing is written where there is no terminal, for a short wait, or after the end", async () => {
  const nowhere = createLiveLine(undefined);
  using _ = nowhere.show("x");
  const at = screen(2);
  const line = createLiveLine(at, at.now);
  line.show("short")[Symbol.dispose]();
  expect(at.s.writes).toBe(0);
  line.show("long");
  at.s.nowMs = 1000;
  await waitFor("one character in two columns", () => at.s.line.length === 1);
  line[Symbol.dispose]();
  line.show("late");
  expect([at.s.line, at.s.all.includes("\n")]).toEqual(["", false]);
});

test("a dumb terminal and a pipe get no line", () => {
  for (const [env, isTerminal] of [
    [{ TERM: "dumb" }, true],
    [{ TERM: "xterm" }, false],
  ] as const) {
    const sink = { write: () => expect.unreachable(), isTerminal };
    using out = createOutput({ stdout: sink, stderr: sink, env, verbose: false });
    const shown = out.waiting("x");
    shown[Symbol.dispose]();
  }
});

const program = [process.execPath, join(import.meta.dir, "../../src/main.ts")];

test.each([
  ["xterm", /\r\x1b\[K[|/\\-] Waiting for 1 review \(\d+s\)/],
  ["dumb", /^job 7: failed/],
])(
  "on a terminal (%s) a wait shows that it goes on, and messages have no colour of their own",
  async (TERM, shown) => {
    using dir = tempDir();
    let isSeen = TERM === "dumb";
    await using _ = fakeDaemon(dir.join("data"), {
      "GET /api/jobs": () => ({ jobs: [testJob({ status: isSeen ? "done" : "running" })] }),
      "GET /api/review": () => testReview(),
    });
    const { code, text } = await onTerminal([...program, "wait", "--job", "7"], {
      cwd: dir.path,
      env: { TERM, NO_COLOR: undefined, ROBOREV_DATA_DIR: dir.join("data") },
      onText(soFar) {
        isSeen ||= soFar.includes("Waiting for 1 review");
        return undefined;
      },
    });
    expect(text).toMatch(shown);
    expect(text.split("\r\x1b[K").at(-1)).toBe("job 7: failed. Read it with: roborev show --job 7\r\n");
    expect(text).not.toContain("\x1b[31m");
    expect(code).toBe(1);
  },
);
