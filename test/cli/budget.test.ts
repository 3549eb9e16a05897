import { expect, test } from "bun:test";
import { createBudget } from "../../src/cli/budget.ts";

test("several steps share one span of time", () => {
  let nowMs = 1000;
  const budget = createBudget(500, () => nowMs);
  expect(budget.leftMs()).toBe(500);
  nowMs += 200;
  expect(budget.leftMs()).toBe(300);
  nowMs += 1000;
  expect(budget.leftMs()).toBe(0);
});

test("a step that is quick enough passes through, result or error", async () => {
  const budget = createBudget(5000);
  expect(await budget.within("x", Promise.resolve(7))).toBe(7);
  expect(await budget.within("x", Promise.reject(new Error("own"))).catch((error) => error.message)).toBe(
    "own",
  );
});

test("a step that outlasts the time is given up on with its name", async () => {
  const error = await createBudget(5)
    .within("git did not answer", new Promise(() => {}))
    .catch((caught) => caught);
  expect(error).toMatchObject({ code: "E_BUDGET", message: "no time left: git did not answer" });
});
