import { expect, test } from "bun:test";
import { systemClock } from "../../src/lib/clock.ts";
import { cooldownOf, cooldowns, extendCooldown } from "../../src/review/cooldowns.ts";
import { openStore } from "../../src/store/open.ts";
import { tempDir } from "../support/temp.ts";

const start = new Date("2026-06-01T10:00:00Z");
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);

async function scene() {
  const dir = tempDir();
  const path = dir.join("reviews.db");
  const store = await openStore(path, { clock: systemClock });
  return {
    path,
    store,
    rest: (agent: string, minutes: number, reason = "quota") =>
      extendCooldown(store.kv, { agent, until: after(minutes), reason }, start),
    until: (agent: string, now = start) => cooldownOf(store.kv, agent, now)?.until,
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

test("A07 a reviewer rests until its time, the others do not", async () => {
  using s = await scene();
  s.rest("codex", 30);
  expect(s.until("codex", after(29))).toBe(after(30).toISOString());
  expect(s.until("codex", after(30))).toBeUndefined();
  expect(s.until("gemini")).toBeUndefined();
});

test("A07 a rest is only ever made longer, and ends with what was said last of the longest", async () => {
  using s = await scene();
  s.rest("codex", 30, "first");
  s.rest("codex", 10, "shorter");
  s.rest("codex", 30, "the same");
  expect(cooldowns(s.store.kv, start)).toEqual([
    { agent: "codex", until: after(30).toISOString(), reason: "first" },
  ]);
  s.rest("codex", 60, "longer");
  expect(cooldowns(s.store.kv, start)).toMatchObject([{ reason: "longer" }]);
});

test("A07 it outlives the daemon, by name, and what is over is forgotten", async () => {
  using s = await scene();
  s.rest("grok", 1);
  s.rest("gemini", 20);
  s.rest("codex", 30);
  extendCooldown(s.store.kv, { agent: "qwen", until: after(40), reason: "x".repeat(999) }, after(5));
  expect(s.store.kv.get("agent_cooldowns")).not.toContain("grok");
  const next = await openStore(s.path, { clock: systemClock });
  const found = cooldowns(next.kv, after(5));
  next.close();
  expect(found.map(({ agent }) => agent)).toEqual(["codex", "gemini", "qwen"]);
  expect(found[2]?.reason.length).toBe(300);
});
