import { describe, expect, test } from "bun:test";
import type { NewJob } from "../../src/store/job-input.ts";
import { storeFixture } from "./store-fixture.ts";

describe("failover", () => {
  const start = async (changes: Partial<NewJob> = {}) => {
    const f = await storeFixture();
    const id = f.enqueue({ agent: "codex", model: "gpt", requestedModel: "gpt", ...changes });
    f.store.jobs.claim("w");
    return { f, id };
  };

  test("S04 the other reviewer begins with all retries, its own model, and without the first one's session", async () => {
    const { f, id } = await start();
    using _ = f;
    const { jobs } = f.store;
    jobs.retry(id, "w", "x", f.clock.now());
    jobs.claim("w");
    expect(jobs.failOver(id, "w", { agent: "gemini", model: "pro" }, "quota: gone")).toBe(true);
    expect(jobs.get(id)).toMatchObject({
      status: "queued",
      agent: "gemini",
      model: "pro",
      retry_count: 0,
      error: "quota: gone",
      attempted_agents: ["codex"],
    });
    for (const absent of ["worker_id", "session_id", "retry_not_before"])
      expect(jobs.get(id)).not.toHaveProperty(absent);
    expect(jobs.claim("v")?.id).toBe(id);
  });

  test("S04 A10 a backup without a model of its own gets none", async () => {
    const { f, id } = await start();
    using _ = f;
    f.store.jobs.failOver(id, "w", { agent: "gemini" }, "x");
    expect(f.store.jobs.get(id)).not.toHaveProperty("model");
  });

  test("S04 nobody has a second turn: not the same reviewer, not one that handed it on", async () => {
    const { f, id } = await start();
    using _ = f;
    const { jobs } = f.store;
    expect(jobs.failOver(id, "w", { agent: "codex" }, "x")).toBe(false);
    expect(jobs.failOver(id, "other worker", { agent: "gemini" }, "x")).toBe(false);
    expect(jobs.failOver(id, "w", { agent: "gemini" }, "x")).toBe(true);
    jobs.claim("w");
    expect(jobs.failOver(id, "w", { agent: "codex" }, "x")).toBe(false);
    expect(jobs.failOver(id, "w", { agent: "gemini" }, "x")).toBe(false);
    expect(jobs.failOver(id, "w", { agent: "grok" }, "x")).toBe(true);
    expect(jobs.get(id)?.attempted_agents).toEqual(["codex", "gemini"]);
  });

  test("S07 a rerun begins with the reviewer that was asked for", async () => {
    const { f, id } = await start();
    using _ = f;
    const { jobs } = f.store;
    jobs.failOver(id, "w", { agent: "gemini", model: "pro" }, "x");
    jobs.claim("w");
    jobs.fail(id, "w", "x");
    expect(jobs.rerun(id)).toBe(true);
    expect(jobs.get(id)).toMatchObject({ agent: "codex", model: "gpt" });
    expect(jobs.get(id)).not.toHaveProperty("attempted_agents");
  });
});
