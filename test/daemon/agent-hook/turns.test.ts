import { expect, test } from "bun:test";
import { scene } from "./scene.ts";

test("D16 an older Qwen, whose every Stop claims to follow a block, is told at the end of a turn", async () => {
  await using s = await scene();
  s.fail(4);
  const stop = { turn_id: "s1########0", stop_hook_active: true };
  expect(await s.event(stop, { agent: "qwen" })).toMatchObject({ triggered: true, count: 1 });
  s.fail(4);
  expect(await s.event(stop, { agent: "qwen" })).toMatchObject({ triggered: false, skipped: true });
});

test("D16 Gemini is not told twice in one turn, though its flag is false again after a tool call", async () => {
  await using s = await scene();
  s.fail(4);
  const stop = { turn_id: "hash", stop_hook_active: false };
  const told = await s.event(stop, { agent: "gemini" });
  expect(told).toMatchObject({ triggered: true, count: 1 });
  await s.fixDone(told);
  s.fail(4);
  expect(await s.event(stop, { agent: "gemini" })).toMatchObject({ triggered: false, count: 1 });
  expect(await s.event({ ...stop, turn_id: "next" }, { agent: "gemini" })).toMatchObject({
    triggered: true,
    count: 2,
  });
});

test("D16 Qwen before 0.23.4 names no turn: the Stop after our block is the same turn, the next one another", async () => {
  await using s = await scene();
  const stop = { stop_hook_active: true };
  const turns: boolean[] = [];
  for (let turn = 0; turn < 5; turn++) {
    s.fail(4);
    const answer = await s.event(stop, { agent: "qwen" });
    turns.push(answer.triggered);
    if (answer.triggered) await s.fixDone(answer);
  }
  expect(turns).toEqual([true, false, true, false, true]);
  expect((await s.sessions())["qwen:s1"]).toMatchObject({ count: 3 });
});
