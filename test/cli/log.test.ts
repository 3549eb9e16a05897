import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type TempDir, tempDir } from "../support/temp.ts";
import { runCli } from "./run-cli.ts";

function scene(logs: Record<string, string> = {}) {
  const dir = tempDir();
  const directory = dir.join("data/logs/jobs");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(logs)) writeFileSync(`${directory}/${name}`, text);
  return {
    dir: dir as TempDir,
    directory,
    run: (...argv: string[]) => runCli(["log", ...argv], { env: { ROBOREV_DATA_DIR: dir.join("data") } }),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

test("log prints what a reviewer said, and nothing of it reaches the terminal as a command", async () => {
  using s = scene({ "7.log": "one\u001b[2J\u202e\ntwo\u0007\tthree\nlast" });
  expect(await s.run("7")).toEqual({ code: 0, stdout: "one[2J\ntwo  three\nlast\n", stderr: "" });
  expect((await s.run("7", "--raw")).stdout).toBe("one\u001b[2J\u202e\ntwo\u0007\tthree\nlast\n");
});

test("log prints a log of many chunks whole, and splits no character", async () => {
  const text = `${"\u00e4\u20ac ".repeat(50_000)}\n`.repeat(3);
  using s = scene({ "7.log": text });
  expect((await s.run("7")).stdout === text).toBe(true);
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
