import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { fixture } from "../review/agents/fixture.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";
import { testJob } from "./fixtures.ts";
import { place } from "./place.ts";
import { type CliOptions, runCli } from "./run-cli.ts";

const coloured = { NO_COLOR: undefined, TERM: "xterm" };

function scene(logs: Record<string, string> = {}) {
  const dir = tempDir();
  const directory = dir.join("data/logs/jobs");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(logs)) writeFileSync(`${directory}/${name}`, text);
  return {
    dir: dir as TempDir,
    directory,
    run: (...argv: string[]) => runCli(["log", ...argv], { env: { ROBOREV_DATA_DIR: dir.join("data") } }),
    onTerminal: (...argv: string[]) =>
      runCli(["log", ...argv], { env: { ...coloured, ROBOREV_DATA_DIR: dir.join("data") }, terminal: true }),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const plain = "one\u001b[2J\u202e\ntwo\u0007\tthree\nlast";

test("log prints what a reviewer said, and nothing of it reaches the terminal as a command", async () => {
  using s = scene({ "7.log": plain });
  expect(await s.onTerminal("7")).toEqual({ code: 0, stdout: "one[2J\ntwo  three\nlast\n", stderr: "" });
});

test("log into a pipe, and with --raw, is the log byte for byte", async () => {
  using s = scene({ "7.log": plain });
  for (const { stdout } of [await s.run("7"), await s.run("7", "--raw"), await s.onTerminal("7", "--raw")])
    expect(stdout).toBe(plain);
});

const shownCursor =
  "\u001b[2mLet me see.\u001b[22m\nFirst I look.\n\n→ \u001b[1mRead\u001b[22m /trap/worktree/a.txt\n\n## Review";

test("a log of a program that prints events reads like a conversation, dim where it only thinks", async () => {
  using s = scene({ "7.log": fixture("cursor-review.jsonl") });
  expect((await s.onTerminal("7")).stdout).toStartWith(shownCursor);
});

test("log prints a log of many chunks whole, and splits no character", async () => {
  const text = `${"\u00e4\u20ac ".repeat(50_000)}\n`.repeat(3);
  using s = scene({ "7.log": text });
  expect((await s.run("7")).stdout === text).toBe(true);
  expect((await s.onTerminal("7")).stdout === text).toBe(true);
});

test("log --path and --json say where the log lies", async () => {
  using s = scene({ "7.log": "text" });
  expect((await s.run("7", "--path")).stdout).toBe(`${s.directory}/7.log\n`);
  expect(JSON.parse((await s.run("7", "--json")).stdout)).toEqual({
    job_id: 7,
    path: `${s.directory}/7.log`,
    size_bytes: 4,
  });
});

test("a log that is not there is an error, with --path as well, and a link is no log", async () => {
  using s = scene();
  writeFileSync(s.dir.join("secret"), "secret");
  symlinkSync(s.dir.join("secret"), `${s.directory}/8.log`);
  for (const argv of [["7"], ["7", "--path"], ["8"], ["8", "--raw"]]) {
    const { code, stdout, stderr } = await s.run(...argv);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toStartWith(`Error: there is no log of job ${argv[0]}. `);
  }
  expect((await s.run("../../config")).code).toBe(2);
});

test("log clean removes logs older than seven days or --days, and nothing else", async () => {
  using s = scene({ "1.log": "", "2.log": "", "3.log": "", "notes.log": "", "4.txt": "" });
  const age = (name: string, days: number) => {
    const at = new Date(Date.now() - days * 24 * 3_600_000);
    utimesSync(`${s.directory}/${name}`, at, at);
  };
  for (const [name, days] of [
    ["1.log", 8],
    ["2.log", 4],
    ["notes.log", 99],
    ["4.txt", 99],
  ] as const)
    age(name, days);
  expect((await s.run("clean")).stdout).toBe("Removed 1 log\n");
  expect(JSON.parse((await s.run("clean", "--days", "3", "--json")).stdout)).toEqual({ removed: 1 });
  expect(readdirSync(s.directory).sort()).toEqual(["3.log", "4.txt", "notes.log"]);
});

test("log clean before any job has run removes nothing", async () => {
  using dir = tempDir();
  const { code, stdout } = await runCli(["log", "clean"], { env: { ROBOREV_DATA_DIR: dir.join("data") } });
  expect([code, stdout, existsSync(dir.join("data"))]).toEqual([0, "Removed 0 logs\n", false]);
});

test("log refuses flags that belong to its other half", async () => {
  using s = scene({ "7.log": "" });
  for (const argv of [
    ["7", "--days", "3"],
    ["clean", "--raw"],
    ["clean", "--path"],
    ["clean", "--days", "3651"],
    [],
  ])
    expect((await s.run(...argv)).code).toBe(2);
});

describe("D09 a followed log, which is read from its file from where the last look ended,", () => {
  /** The job of a log, what was printed of the log so far, and how it ended. */
  function followed(argv: string[] = [], options: CliOptions = {}) {
    let job = testJob({ id: 7, status: "queued" });
    const at = place({ "GET /api/jobs": () => ({ jobs: [job], has_more: false }) });
    const path = `${at.dataDir}/logs/jobs/7.log`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    let printed = "";
    const onOutput = (stdout: string) => {
      printed = stdout;
    };
    return {
      path,
      ended: at.cli(["log", "7", "--follow", ...argv], { ...options, onOutput }),
      until: (text: string) => waitFor(JSON.stringify(text), () => printed === text),
      become(more: Parameters<typeof testJob>[0]) {
        job = testJob({ id: 7, ...more });
      },
      [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
    };
  }

  test("is printed by whole lines while the job waits and runs, and to its end when the job has ended", async () => {
    await using s = followed();
    s.become({ status: "running" });
    writeFileSync(s.path, "one\ntwo, and no lin");
    await s.until("one\n");
    appendFileSync(s.path, "e end\nthree\u001b[2J\ngr\u00f6\u00dfe".slice(0, -1));
    await s.until("one\ntwo, and no line end\nthree\u001b[2J\n");
    appendFileSync(s.path, "e");
    s.become({ status: "failed", error: "out of luck" });
    expect(await s.ended).toEqual({
      code: 0,
      stdout: "one\ntwo, and no line end\nthree\u001b[2J\ngr\u00f6\u00dfe",
      stderr: "Job 7 failed: out of luck\n",
    });
  });

  test("splits no character and tells what stands in it as it is with --raw", async () => {
    await using s = followed(["--raw"]);
    const bytes = Buffer.from("gr\u00f6\u00dfe\u001b[1m\n");
    writeFileSync(s.path, bytes.subarray(0, 3));
    s.become({ status: "running" });
    appendFileSync(s.path, bytes.subarray(3));
    await s.until("gr\u00f6\u00dfe\u001b[1m\n");
    s.become({ status: "done", verdict: "P" });
    expect(await s.ended).toMatchObject({ code: 0, stderr: "Job 7 is done\n" });
  });

  test("reads like a conversation on a terminal, also when another reviewer begins it anew", async () => {
    await using s = followed([], { terminal: true, env: coloured });
    s.become({ status: "running", agent: "cursor" });
    const events = fixture("cursor-review.jsonl").split("\n");
    writeFileSync(s.path, `${events.slice(0, 4).join("\n")}\n`);
    await s.until("\u001b[2mLet me see.\u001b[22m\n");
    s.become({ status: "running", agent: "test" });
    writeFileSync(s.path, '{"type":1}\n');
    await s.until('\u001b[2mLet me see.\u001b[22m\nFirst I look.\n{"type":1}\n');
    s.become({ status: "done" });
    expect((await s.ended).code).toBe(0);
  });

  test("begins anew with the run that is tried again", async () => {
    await using s = followed();
    writeFileSync(s.path, "a first run, and what it said\n");
    await s.until("a first run, and what it said\n");
    writeFileSync(s.path, "again\n");
    await s.until("a first run, and what it said\nagain\n");
    s.become({ status: "done" });
    expect((await s.ended).code).toBe(0);
  });
});

test("a log of no job cannot be followed, nor one as JSON or by its path", async () => {
  await using at = place({ "GET /api/jobs": () => ({ jobs: [], has_more: false }) });
  expect(await at.cli(["log", "9", "-f"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: there is no job 9\n",
  });
  for (const argv of [
    ["9", "-f", "--json"],
    ["9", "-f", "--path"],
    ["clean", "-f"],
  ])
    expect((await at.cli(["log", ...argv])).code).toBe(2);
});
