import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { runMarkName } from "../../../src/lib/run-mark.ts";
import { lockWorktree, tidyUpLocks } from "../../../src/review/fix/worktree-lock.ts";
import { isAlive } from "../../support/alive.ts";
import { testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const module = `${import.meta.dir}/../../../src/review/fix/worktree-lock.ts`;
const worktrees = `${import.meta.dir}/../../../src/git/worktree.ts`;
const identity = `${import.meta.dir}/../../../src/review/agents/process-identity.ts`;

const at = (path: string) => ({ worktreeRoot: path, mainRoot: path });

/** A process that holds the lock and has an agent at work; ends when it is killed. */
async function holder(directory: string, worktree: string, sha?: string) {
  const script = `
    const { addReviewWorktree } = await import(${JSON.stringify(worktrees)});
    const { lockWorktree } = await import(${JSON.stringify(module)});
    const { startTimeOf } = await import(${JSON.stringify(identity)});
    const lock = await lockWorktree(${JSON.stringify(directory)}, { worktreeRoot: ${JSON.stringify(worktree)}, mainRoot: ${JSON.stringify(worktree)} });
    const agent = Bun.spawn(["sleep", "600"], { detached: true, env: { ...process.env, ROBOREV_FIX_JOB: "1", ${runMarkName}: lock.mark } });
    await lock.remember({ pid: agent.pid, startTime: startTimeOf(agent.pid) });
    const sha = ${JSON.stringify(sha ?? "")};
    if (sha) await addReviewWorktree({ mainRoot: ${JSON.stringify(worktree)}, path: lock.trees + "/roborev-refine-1", sha });
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
  await expect(lockWorktree(fixes, at("/tree"))).rejects.toMatchObject({
    code: "E_FIX_RUNNING",
    message: "another roborev fix or refine is at work in /tree",
  });
  const other = await lockWorktree(fixes, at("/other"));
  expect(other.wasKilled).toBe(false);
  await other.release();
  first.child.kill("SIGKILL");
  await first.child.exited;
  expect(isAlive(first.agent)).toBe(true);
  const next = await lockWorktree(fixes, at("/tree"));
  expect(next.wasKilled).toBe(true);
  await waitFor("the agent to be gone", () => !isAlive(first.agent));
  await next.release();
  const last = await lockWorktree(fixes, at("/tree"));
  expect(last.wasKilled).toBe(false);
  await last.release();
});

test("the worktree of a killed holder goes with the next lock, or when a daemon starts; one that is at work keeps its own", async () => {
  using dir = tempDir();
  using repo = testRepo();
  const fixes = dir.join("fixes");
  const sha = repo.git("rev-parse", "HEAD");
  const listed = () => repo.git("worktree", "list").split("\n").length;
  for (const next of ["lock", "daemon"]) {
    const first = await holder(fixes, repo.path, sha);
    expect(listed()).toBe(2);
    await tidyUpLocks(fixes, (error) => expect(error).toBeUndefined());
    expect(listed()).toBe(2);
    expect(isAlive(first.agent)).toBe(true);
    first.child.kill("SIGKILL");
    await first.child.exited;
    if (next === "daemon") await tidyUpLocks(fixes, (error) => expect(error).toBeUndefined());
    else await (await lockWorktree(fixes, at(repo.path))).release();
    await waitFor("the agent to be gone", () => !isAlive(first.agent));
    expect(listed()).toBe(1);
    expect(readdirSync(fixes).filter((name) => !name.endsWith(".lock.db"))).toEqual([]);
  }
  await tidyUpLocks(dir.join("none"), (error) => expect(error).toBeUndefined());
});
