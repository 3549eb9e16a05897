import { expect, spyOn, test } from "bun:test";
import { HookFacts } from "../../../src/daemon/agent-hook/facts.ts";
import { codingAgent, shell } from "./coding-agent.ts";
import { scene } from "./scene.ts";

const commit = (message: string) => `git commit -q --allow-empty -m ${message}`;

test("an event that looked at HEAD before others of its session moved on does not take their commits back", async () => {
  await using s = await scene();
  s.repo.git("update-ref", "refs/remotes/origin/main", "HEAD");
  const agent = codingAgent(s, { commitThreshold: 9, failedReviewThreshold: 0 });
  await agent.run("true");

  // One of two commands that run side by side ends; its event has looked at HEAD when it is held up.
  const looked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const { placeOf } = HookFacts.prototype;
  const look = spyOn(HookFacts.prototype, "placeOf").mockImplementationOnce(async function (
    this: HookFacts,
    ...args
  ) {
    const place = await placeOf.apply(this, args);
    looked.resolve();
    await held.promise;
    return place;
  });
  const late = agent.after("true", { id: "late" });
  await looked.promise;
  look.mockRestore();

  expect((await agent.run(commit("a"))).commit_count).toBe(1);
  await agent.before(commit("b"), { id: "b" });
  held.resolve();
  await late;
  shell(s.repo.path, `${commit("b")} && git update-ref refs/remotes/origin/main HEAD`); // and is pushed
  expect((await agent.after(commit("b"), { id: "b" })).commit_count).toBe(2);
});
