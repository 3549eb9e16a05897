import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { killShells, runShell, type ShellRun } from "../../../src/daemon/review-hooks/shell.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

const never = new AbortController().signal;
const run = (command: string, more: Partial<ShellRun> = {}) =>
  runShell({
    command,
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    stdin: "",
    timeoutMs: 20_000,
    signal: never,
    ...more,
  });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

const pidsIn = (file: string) =>
  existsSync(file) ? readFileSync(file, "utf8").split(/\s+/).filter(Boolean).map(Number) : [];

describe("C12 the command of a review hook", () => {
  test("ends with its status, what it printed on both streams, and what it was given on standard input", async () => {
    using dir = tempDir();
    const end = await run('cat; pwd; echo "$X" >&2; exit 3', {
      cwd: dir.path,
      env: { PATH: process.env.PATH ?? "", X: "variable" },
      stdin: "input\n",
    });
    expect(end).toMatchObject({ end: "exited", exit: 3 });
    expect(end.output.split("\n").toSorted()).toEqual([dir.path, "input", "variable"].toSorted());
    expect((await run("true", { stdin: "x".repeat(5_000_000) })).exit).toBe(0);
    expect((await run("kill -9 $$")).exit).toBe("SIGKILL");
  });

  test("that prints 100 MB is not stopped by it: the last kilobyte is kept", async () => {
    const end = await run("yes | head -c 100000000; echo the end", { timeoutMs: 60_000 });
    expect(end).toMatchObject({ end: "exited", exit: 0 });
    expect(end.output.length).toBeLessThanOrEqual(1024);
    expect(end.output).toEndWith("y\nthe end");
  }, 120_000);

  test("that hangs is ended when its time is over, and its children and grandchildren with it", async () => {
    using dir = tempDir();
    const script =
      "trap '' TERM; sleep 600 & (sleep 600 & echo $! >>pids; wait) & echo $! >>pids; echo $$ >>pids; wait";
    const end = await run(script, { cwd: dir.path, timeoutMs: 1000 });
    expect(end.end).toBe("timeout");
    const pids = pidsIn(dir.join("pids"));
    expect(pids).toHaveLength(3);
    await waitFor("their end", () => !pids.some(isAlive));
  });

  test("that leaves a child behind goes on until that ends, too, and no longer than its time", async () => {
    using dir = tempDir();
    const quick = await run("(until [ -e go ]; do sleep 0.01; done; echo late) & touch go", {
      cwd: dir.path,
    });
    expect(quick).toMatchObject({ end: "exited", exit: 0, output: "late" });
    const end = await run("sleep 600 & echo $! >pid", { cwd: dir.path, timeoutMs: 300 });
    expect(end).toMatchObject({ end: "timeout", exit: 0 });
    await waitFor("its end", () => !pidsIn(dir.join("pid")).some(isAlive));
  });

  test.skipIf(Bun.which("setsid") === null)(
    "that lets a process out of its group is not waited for because of it",
    async () => {
      using dir = tempDir();
      const end = await run(
        'setsid sh -c "echo \\$\\$ >pid; exec sleep 600" & until [ -s pid ]; do sleep 0.01; done',
        {
          cwd: dir.path,
          timeoutMs: 500,
        },
      );
      expect(end).toMatchObject({ end: "timeout", exit: 0 });
      for (const pid of pidsIn(dir.join("pid"))) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    },
  );

  test("is ended at once when the daemon stops, in order or not", async () => {
    using dir = tempDir();
    const stop = new AbortController();
    const script = (name: string) => `echo $$ >${name}; exec sleep 600`;
    const orderly = run(script("a"), { cwd: dir.path, signal: stop.signal });
    const hurried = run(script("b"), { cwd: dir.path });
    const pids = () => [...pidsIn(dir.join("a")), ...pidsIn(dir.join("b"))];
    await waitFor("both", () => pids().length === 2);
    stop.abort();
    expect((await orderly).end).toBe("stopped");
    killShells();
    expect(await hurried).toMatchObject({ end: "exited", exit: "SIGKILL" });
    expect(pids().some(isAlive)).toBe(false);
    expect((await run("sleep 600", { signal: stop.signal })).end).toBe("stopped");
  });

  test("that cannot be started says where", async () => {
    expect(run("true", { cwd: "/gone/away" })).rejects.toThrow("cannot start a shell in /gone/away: ");
  });
});
