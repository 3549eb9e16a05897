import { expect, test } from "bun:test";
import { failoverScene } from "./failover-scene.ts";

const fine = `printf '%s\\n' '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"No issues found. I read it."}}' '{"type":"turn.completed"}'`;

test("P09 D42 what there is nothing to review of is skipped with its reason, and no reviewer is asked", async () => {
  await using s = await failoverScene({ codex: fine });
  const { repo } = s;
  const skipped = async (gitRef: string) => {
    const job = await s.settled(s.enqueue({ gitRef }));
    expect([job.status, job.retry_count]).toEqual(["skipped", 0]);
    return job.skip_reason;
  };
  expect(await skipped(repo.commit("empty"))).toBe("empty diff");
  expect(await skipped(repo.commit("lock", { "bun.lock": "x\n", "deep/yarn.lock": "y\n" }))).toBe(
    "only excluded files",
  );
  repo.git("checkout", "-q", "-b", "side");
  repo.commit("side", { side: "1\n" });
  repo.git("checkout", "-q", "main");
  repo.commit("main", { main: "1\n" });
  repo.git("merge", "-q", "--no-edit", "side");
  expect(await skipped(repo.git("rev-parse", "HEAD"))).toBe("clean merge");
  expect(s.calls()).toEqual([]);
});

test("P09 a merge in which somebody decided something is reviewed, and so is the first commit of all", async () => {
  await using s = await failoverScene({ codex: fine });
  const { repo } = s;
  repo.git("checkout", "-q", "-b", "side");
  repo.commit("side", { both: "side\n" });
  repo.git("checkout", "-q", "main");
  repo.commit("main", { both: "main\n" });
  Bun.spawnSync(["git", "merge", "-q", "side"], { cwd: repo.path, stdout: "ignore", stderr: "ignore" });
  const merge = repo.commit("merge", { both: "neither\n" });
  const root = repo.git("rev-list", "--max-parents=0", "HEAD");
  for (const gitRef of [merge, root]) {
    expect(await s.settled(s.enqueue({ gitRef }))).toMatchObject({ status: "done", verdict: "P" });
  }
  expect(s.callers()).toEqual(["codex", "codex"]);
});
