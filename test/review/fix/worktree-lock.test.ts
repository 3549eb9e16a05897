import { expect, test } from "bun:test";
import { runMarkName } from "../../../src/lib/run-mark.ts";
import { lockWorktree } from "../../../src/review/fix/worktree-lock.ts";
import { isAlive } from "../../support/alive.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

const module = `${import.meta.dir}/../../../src/review/fix/worktree-lock.ts`;
const identity = `${import.meta.dir}/../../../src/review/agents/process-identity.ts`;

/** A process that holds the lock and has an agent at work; ends when it is killed. */
async function holder(directory: string, worktree: string) {
  const script = `
    const { lockWorktree } = await import(${JSON.stringify(module)});
    const { startTimeOf } = await import(${JSON.stringify(identity)});
    const lock = await lockWorktree(${JSON.stringify(directory)}, ${JSON.stringify(worktree)});
    const agent = Bun.spawn(["sleep", "600"], { detached: true, env: { ...process.env, ROBOREV_FIX_JOB: "1", ${runMarkName}: lock.mark } });
    await lock.remember({ pid: agent.pid, startTime: startTimeOf(agent.pid) });
    console.log(agent.pid);
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  return { child, agent: Number(new TextDecoder().decode(value)) };
}

test("one fix at a time in a working tree; a killed one leaves neither its lock nor its agent", async () => {
  using dir = tempDir();
  const fixes = dir.join("fixes");
  const first = await holder(fixes, "/tree");
  await expect(lockWorktree(fixes, "/tree")).rejects.toMatchObject({
    code: "E_FIX_RUNNING",
    message: "another roborev fix is at work in /tree",
  });
  const other = await lockWorktree(fixes, "/other");
  expect(other.wasKilled).toBe(false);
  await other.release();
  first.child.kill("SIGKILL");
  await first.child.exited;
  expect(isAlive(first.agent)).toBe(true);
  const next = await lockWorktree(fixes, "/tree");
  expect(next.wasKilled).toBe(true);
  await waitFor("the agent to be gone", () => !isAlive(first.agent));
  await next.release();
  const last = await lockWorktree(fixes, "/tree");
  expect(last.wasKilled).toBe(false);
  await last.release();
});
