import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { runMarkName } from "../../../src/lib/run-mark.ts";
import { daemonMark, killMarked, runMark } from "../../../src/review/agents/marked-processes.ts";
import { isAlive } from "../../support/alive.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

const onLinux = test.skipIf(process.platform !== "linux");

/** A process that carries this mark and tells of one that it started in a session of its own and then left. */
async function start(mark: string) {
  const script = `setsid sh -c 'echo $$; exec sleep 300' & exec sleep 300`;
  const child = Bun.spawn(["/bin/sh", "-c", script], {
    env: { PATH: process.env.PATH, [runMarkName]: mark },
    stdout: "pipe",
    stdin: "ignore",
    detached: true,
  });
  const { value } = await child.stdout.getReader().read();
  const escaped = Number(new TextDecoder().decode(value).trim());
  return {
    child,
    escaped,
    [Symbol.dispose]() {
      child.kill("SIGKILL");
      try {
        process.kill(escaped, "SIGKILL");
      } catch {
        // it is gone
      }
    },
  };
}

onLinux(
  "D11 whatever a reviewer left running is found by its mark, in whatever session, by whatever parent",
  async () => {
    using dir = tempDir();
    const mark = runMark(dir.path, 7);
    using run = await start(mark);
    run.child.kill("SIGKILL");
    await run.child.exited;
    expect(isAlive(run.escaped)).toBe(true);
    killMarked(mark);
    await waitFor("its end", () => !isAlive(run.escaped));
  },
);

onLinux("G12 nobody else's processes are touched: another run's, another data directory's", async () => {
  using dir = tempDir();
  using other = tempDir();
  using own = await start(runMark(dir.path, 7));
  using sibling = await start(runMark(dir.path, 71));
  using foreign = await start(runMark(other.path, 7));
  killMarked(runMark(dir.path, 7)); // a later run of the same job
  expect(isAlive(own.escaped)).toBe(true);
  killMarked(daemonMark(dir.path));
  const pids = ({ child, escaped }: typeof own) => [child.pid, escaped];
  await waitFor("the end of both", () => ![...pids(own), ...pids(sibling)].some(isAlive));
  expect(pids(foreign).map(isAlive)).toEqual([true, true]);
});

test("the mark is that of the data directory, by whatever name it is called", () => {
  using dir = tempDir({ "data/x": "" });
  symlinkSync(dir.join("data"), dir.join("link"));
  expect(daemonMark(dir.join("link"))).toBe(daemonMark(dir.join("data")));
  expect(daemonMark(dir.path)).not.toBe(daemonMark(dir.join("data")));
});
