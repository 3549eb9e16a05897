import { expect, setDefaultTimeout, test } from "bun:test";
import { failoverScene } from "./failover-scene.ts";

// Each of these reviews runs a few dozen git processes.
setDefaultTimeout(30_000);

const bypass = "--dangerously-bypass-approvals-and-sandbox";
const passes = `printf '{"type":"thread.started","thread_id":"t"}\\n{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"No issues found. Read a.txt."}}\\n{"type":"turn.completed","usage":{}}\\n'`;

test("disable_codex_sandbox of the user takes the sandbox from codex reviews, and the review says so", async () => {
  await using s = await failoverScene({ codex: passes, config: "disable_codex_sandbox = true\n" });
  const done = await s.settled(s.enqueue());
  expect(done).toMatchObject({ status: "done", verdict: "P", evidence: { without_sandbox: true } });
  const [call] = s.calls();
  expect(call).toContain(bypass);
  expect(call).not.toContain("--sandbox");
  expect(call).toContain("features.hooks=false");
});

test("nobody else can: not by default, not by a file of the repository, and no other reviewer", async () => {
  await using s = await failoverScene({ codex: passes });
  s.repo.commit("hostile", { ".roborev.toml": "disable_codex_sandbox = true\n" });
  const done = await s.settled(s.enqueue());
  expect(done.evidence).not.toHaveProperty("without_sandbox");
  expect(s.calls()[0]).toContain("--sandbox read-only");
  await using other = await failoverScene({ config: "disable_codex_sandbox = true\n" });
  expect((await other.settled(other.enqueue({ agent: "claude-code" }))).evidence).not.toHaveProperty(
    "without_sandbox",
  );
});

test("D36 without its sandbox, a reviewer that changes the tree still fails the job", async () => {
  await using s = await failoverScene({
    codex: `echo changed >a.txt\n${passes}`,
    config: "disable_codex_sandbox = true\n",
  });
  expect(await s.settled(s.enqueue())).toMatchObject({
    status: "failed",
    error: "policy: the reviewer changed files in its worktree",
  });
});
