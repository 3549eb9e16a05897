import { describe, expect, test } from "bun:test";
import { cooldowns } from "../../src/review/cooldowns.ts";
import { claudeAsBackup, codexSays, failoverScene, pass } from "./failover-scene.ts";

const usedUp = codexSays("You've hit your usage limit. Please try again in 2 hours.");
const minutesUntil = (time: string | undefined) => (Date.parse(time ?? "") - Date.now()) / 60_000;

describe("a reviewer whose quota is used up", () => {
  test("A08 S04 hands its job to the backup at once, and is not called again while it rests", async () => {
    await using s = await failoverScene({ codex: usedUp, settings: claudeAsBackup });
    const [first, second] = [s.enqueue(), s.enqueue()];
    expect(await s.settled(first)).toMatchObject({
      status: "done",
      verdict: "P",
      agent: "claude-code",
      attempted_agents: ["codex"],
      retry_count: 0,
    });
    expect(s.store.reviews.byJob(first)?.agent).toBe("claude-code");
    expect(await s.settled(second)).toMatchObject({ status: "done", agent: "claude-code" });
    expect(s.callers()).toEqual(["codex", "claude", "claude"]);
  });

  test("A10 the backup never gets the first one's model", async () => {
    await using s = await failoverScene({ codex: usedUp, settings: claudeAsBackup });
    await s.settled(s.enqueue({ model: "gpt-5", requestedModel: "gpt-5" }));
    const [codex, claude] = s.calls();
    expect(codex).toContain("-m gpt-5");
    expect(claude).not.toContain("gpt-5");
    expect(claude).not.toContain("--model");
  });

  test("A10 but the one that was configured for it", async () => {
    const { backup } = claudeAsBackup;
    const model = { value: "opus", origin: "global", meantFor: "claude-code" } as const;
    await using s = await failoverScene({
      codex: usedUp,
      settings: backup ? { backup: { ...backup, model } } : {},
    });
    await s.settled(s.enqueue({ model: "gpt-5" }));
    expect(s.calls()[1]).toContain("--model opus");
  });

  test("A08 D43 without a backup the job fails with the quota's message, and so do the next without a call", async () => {
    await using s = await failoverScene({ codex: usedUp });
    const [first, second] = [s.enqueue(), s.enqueue()];
    const failed = await s.settled(first);
    expect([failed.status, failed.agent, failed.retry_count]).toEqual(["failed", "codex", 0]);
    expect(failed.error).toStartWith("quota: codex failed");
    const next = await s.settled(second);
    expect(next.error).toMatch(/^quota: codex is not asked before \d{4}-.*hit your usage limit/);
    expect(s.callers()).toEqual(["codex"]);
  });

  test("A07 rests as long as it says, but no longer than its user allows, and so long where it does not say", async () => {
    for (const [codex, quotaCooldownMs, expected] of [
      [usedUp, undefined, 30],
      [usedUp, 10 * 60_000, 10],
      [usedUp, 600 * 60_000, 120],
      [codexSays("You've hit your usage limit."), 600 * 60_000, 600],
    ] as const) {
      await using s = await failoverScene({
        codex,
        settings: quotaCooldownMs === undefined ? {} : { quotaCooldownMs },
      });
      await s.settled(s.enqueue());
      const [rest] = cooldowns(s.store.kv, new Date());
      expect(rest?.agent).toBe("codex");
      expect(rest?.reason).toContain("usage limit");
      expect(minutesUntil(rest?.until)).toBeWithin(expected - 1, expected + 0.1);
    }
  });
});

describe("who takes over, and when", () => {
  test("a prompt that is too long for a model goes to the backup without another try", async () => {
    await using s = await failoverScene({
      codex: codexSays("Your input exceeds the context window of this model."),
      settings: claudeAsBackup,
    });
    expect(await s.settled(s.enqueue())).toMatchObject({ status: "done", agent: "claude-code" });
    expect(cooldowns(s.store.kv, new Date())).toEqual([]);
  });

  test("throttling is tried again, by the same reviewer, which does not rest", async () => {
    await using s = await failoverScene({
      codex: codexSays("429 Too Many Requests"),
      settings: claudeAsBackup,
    });
    expect(await s.settled(s.enqueue())).toMatchObject({ status: "queued", agent: "codex", retry_count: 1 });
    expect(cooldowns(s.store.kv, new Date())).toEqual([]);
    expect(s.callers()).toEqual(["codex"]);
  });

  test.each([
    ["throttling", codexSays("429 Too Many Requests"), {}],
    ["a crash", "exit 7", {}],
    ["empty output", `echo '{"type":"turn.completed"}'`, {}],
    ["a time-out", "exec sleep 600", { timeoutMs: 200 }],
  ])("%s goes to the backup when no retry is left", async (_, codex, more) => {
    await using s = await failoverScene({ codex, settings: { ...claudeAsBackup, ...more } });
    const job = await s.settled(s.enqueue({ retries: 3 }));
    expect(job.attempted_agents).toEqual(["codex"]);
    expect(job.agent).toBe("claude-code");
  });

  test("a reviewer that is not installed any more is replaced at once, and without a backup named", async () => {
    await using s = await failoverScene({ settings: claudeAsBackup });
    expect(await s.settled(s.enqueue())).toMatchObject({ status: "done", attempted_agents: ["codex"] });
    await using alone = await failoverScene({});
    const job = await alone.settled(alone.enqueue());
    expect(job).toMatchObject({ status: "failed", agent: "codex", retry_count: 0 });
    expect(job.error).toContain("reviewer codex is not installed");
  });

  test("S04 where the backup cannot either, the job has failed, once each", async () => {
    await using s = await failoverScene({ codex: usedUp, claude: "exit 3", settings: claudeAsBackup });
    const id = s.enqueue();
    await s.settled(id);
    expect(s.callers()).toEqual(["codex", "claude"]);
    expect(s.store.jobs.get(id)).toMatchObject({ status: "queued", agent: "claude-code", retry_count: 1 });
  });

  test("what is not the reviewer's fault never goes to another: git, or an answer without a verdict", async () => {
    const chatter = `echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"I had a look."}}'; echo '{"type":"turn.completed"}'`;
    await using s = await failoverScene({ codex: chatter, settings: claudeAsBackup });
    const spoken = await s.settled(s.enqueue({ retries: 1 }));
    expect(spoken).toMatchObject({ status: "failed", agent: "codex" });
    expect(spoken.error).toStartWith("no-verdict: ");
    s.breakGit(new Error("git broke"));
    expect(await s.settled(s.enqueue({ retries: 2 }))).toMatchObject({ status: "queued", retry_count: 3 });
    expect(await s.settled(s.enqueue({ retries: 3 }))).toMatchObject({
      status: "failed",
      agent: "codex",
      error: "git broke",
    });
    expect(s.callers()).toEqual(["codex"]);
  });

  test("S07 a rerun asks the first reviewer again", async () => {
    await using s = await failoverScene({
      codex: codexSays("Your input exceeds the context window of this model."),
      settings: claudeAsBackup,
    });
    const id = s.enqueue();
    await s.settled(id);
    expect(s.store.jobs.rerun(id)).toBe(true);
    expect(await s.settled(id)).toMatchObject({ status: "done", agent: "claude-code" });
    expect(s.callers()).toEqual(["codex", "claude", "codex", "claude"]);
    expect(s.store.reviews.attempts(id)).toMatchObject([{ agent: "claude-code" }]);
  });
});

test("S04 a review that ends well is not of the backup", async () => {
  const fine = `echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"No issues found. I read a.txt."}}'; echo '{"type":"turn.completed"}'`;
  await using s = await failoverScene({ codex: fine, claude: pass, settings: claudeAsBackup });
  const job = await s.settled(s.enqueue());
  expect([job.status, job.agent]).toEqual(["done", "codex"]);
  expect(job).not.toHaveProperty("attempted_agents");
  expect(s.callers()).toEqual(["codex"]);
});
