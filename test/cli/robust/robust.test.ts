import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DaemonProcess, startDaemon } from "../../support/daemon-process.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";
import { onTerminal } from "../../support/terminal.ts";
import { everyCommand } from "../examples/every-command.ts";

setDefaultTimeout(60_000);

/** Not run by the driver: they last, start this program again, or ask the reviewers of this machine. */
const leftOut = [
  "update", // asks the network

  "daemon run",
  "daemon start",
  "daemon stop",
  "daemon restart",
  "stream",
  "demo",
  "check-agents",
];
const hidden = ["daemon install-service", "daemon uninstall-service"]; // they would take the tests' daemon away

let dir: TempDir;
let repo: TestRepo;
let daemon: DaemonProcess;
let env: Record<string, string>;

beforeAll(async () => {
  dir = tempDir({ "a-file": "" });
  for (const name of ["bin", "home", "data"]) mkdirSync(dir.join(name), { mode: 0o700 });
  // Programs of this machine that a command might ask are not found.
  for (const name of ["git", "sh", "cat", "rmdir", "sed", "ps"]) {
    const path = Bun.which(name);
    if (path !== null) symlinkSync(path, dir.join("bin", name));
  }
  writeFileSync(dir.join("data/config.toml"), 'default_agent = "test"\n', { mode: 0o600 });
  repo = testRepo();
  env = {
    ...(process.env as Record<string, string>),
    PATH: dir.join("bin"),
    HOME: dir.join("home"),
    ROBOREV_DATA_DIR: dir.join("data"),
    ROBOREV_SKIP_VERSION_CHECK: "1",
  };
  daemon = await startDaemon(dir.join("data"));
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
  dir[Symbol.dispose]();
});

const driver = [process.execPath, join(import.meta.dir, "driver.ts")];

interface Condition {
  /** Shell text that runs "$@". */
  script?: string;
  cwd?: string;
  env?: Record<string, string>;
  /** Further commands that are left out. */
  without?: string[];
}

/** Runs every command under a condition; what each of them said on standard error, and all that was said. */
async function everyCommandUnder(condition: Condition, width?: number) {
  const report = dir.join(`report-${crypto.randomUUID()}`);
  const argv = [...driver, report, ...leftOut, ...(condition.without ?? hidden)];
  const shell = ["/bin/sh", "-c", condition.script ?? 'exec "$@"', "sh", ...argv];
  const options = { cwd: condition.cwd ?? repo.path, env: { ...env, ...condition.env } };
  let text: string;
  if (width !== undefined) text = (await onTerminal(shell, { ...options, columns: width })).text;
  else {
    const child = Bun.spawn(shell, { ...options, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const read = (stream: ReadableStream) => new Response(stream).text();
    const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
    text = stderr;
    expect(stdout).not.toMatch(trace);
  }
  expect(text).not.toMatch(trace);
  const lines = readFileSync(report, "utf8").trim().split("\n");
  const ended = lines.map((line) => JSON.parse(line) as { name: string; code?: number; declared?: number[] });
  const names = (await everyCommand()).map(({ words }) => words.join(" "));
  const expected = names.filter((name) => ![...leftOut, ...(condition.without ?? hidden)].includes(name));
  // The one that ended the process, or never ended, is the one without a status.
  expect(ended.filter(({ code }) => code !== undefined).map(({ name }) => name)).toEqual(expected);
  for (const { name, code, declared } of ended.filter((end) => end.code !== undefined))
    expect([name, [0, 1, 2, ...(declared ?? [])].includes(code as number)]).toEqual([name, true]);
  const said = new Map(
    text
      .split("\n== ")
      .slice(1)
      .map((part): [string, string[]] => {
        const [name = "", ...rest] = part.split(/\r?\n/);
        return [name.trim(), rest.filter((line) => line !== "")];
      }),
  );
  return { ended: new Map(ended.map(({ name, code }) => [name, code])), said, text };
}

const trace = /\n\s+at |\bBun v\d|node:internal|\$bunfs|\bTypeError\b|\bundefined\b|\[object /;

test("every command ends in order when nobody reads its output any more", async () => {
  const { ended } = await everyCommandUnder({ script: '"$@" | :' });
  expect(ended.get("version")).toBe(0);
  expect(ended.get("show")).toBe(1);
});

test("every command ends in order with all three streams closed", async () => {
  const { ended } = await everyCommandUnder({ script: 'exec "$@" <&- >&- 2>&-' });
  expect(ended.get("status")).toBe(0);
});

test("every command says the same in plain text on a dumb terminal of two columns in the C locale", async () => {
  const plain = { TERM: "dumb", NO_COLOR: "1", LANG: "C", LC_ALL: "C", COLUMNS: "2" };
  const { text, said } = await everyCommandUnder(
    { env: plain, without: [...hidden, "tui", "test-reviewer"] },
    2,
  );
  expect(text).not.toContain("\x1b");
  expect(said.get("show")?.[0]).toStartWith("Error: no review found for ");
});

test("every command works on a terminal of two columns", async () => {
  const { said } = await everyCommandUnder(
    { env: { TERM: "xterm", NO_COLOR: "" }, without: [...hidden, "tui", "test-reviewer"] },
    2,
  );
  expect(said.get("show")?.[0]).toStartWith("Error: no review found for ");
});

test("in a directory that was deleted, without a home, each command works or says in one line what is wrong", async () => {
  mkdirSync(dir.join("gone"));
  const { ended, said } = await everyCommandUnder({
    script: 'rmdir "$PWD"; exec "$@"',
    cwd: dir.join("gone"),
    env: { HOME: dir.join("missing") },
  });
  expect(ended.get("version")).toBe(0);
  expect(said.get("list")).toEqual([
    "Error: the current directory no longer exists. Change to another one and try again.",
  ]);
});

test("with a data directory that is a file and a home that cannot be written, nothing is written and each error is a line", async () => {
  const { ended, said } = await everyCommandUnder({
    env: { HOME: "/dev/null", ROBOREV_DATA_DIR: dir.join("a-file") },
    without: [],
  });
  for (const [name, lines] of said) {
    if (ended.get(name) !== 1) continue;
    for (const line of lines) expect([name, line]).toEqual([name, expect.stringMatching(/^\S.*\S$/)]);
  }
  expect(said.get("status")).toEqual([expect.stringContaining("Set it up with: roborev init")]);
  expect(said.get("list")).toEqual([
    `Error: ${dir.join("a-file")} is not a directory. Make it a directory of your own, or point ROBOREV_DATA_DIR at one.`,
  ]);
  expect([readFileSync(dir.join("a-file"), "utf8"), existsSync("/dev/null/.roborev")]).toEqual(["", false]);
});
