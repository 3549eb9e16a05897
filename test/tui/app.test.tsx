import { afterEach, expect, test } from "bun:test";
import { cleanup, render } from "ink-testing-library";
import { App } from "../../src/tui/app.tsx";
import type { Effect } from "../../src/tui/message.ts";
import { createModelStore } from "../../src/tui/store.ts";
import { update } from "../../src/tui/update/update.ts";
import { waitFor } from "../support/wait.ts";
import { job, jobs, nowMs, playWith, review } from "./scene.ts";

afterEach(cleanup);

/** The program in a terminal of 100 columns that only remembers what it was sent. */
function shown(count: number) {
  const effects: Effect[] = [];
  const { model } = playWith(jobs(count));
  const store = createModelStore([model, []], update);
  store.start((effect) => effects.push(effect));
  const { stdin, frames, lastFrame, unmount } = render(<App store={store} />);
  const text = () => lastFrame() ?? "";
  const type = async (keys: string, until: () => boolean) => {
    stdin.write(keys);
    await waitFor(`what ${JSON.stringify(keys)} does`, until);
  };
  return { store, effects, frames, text, type, unmount };
}

test("the list is drawn, and arrow keys move the selection", async () => {
  const { text, type, store } = shown(30);
  await waitFor("the first frame", () => text().includes(">  30"));
  await type("\u001b[B", () => store.current().selected === 29);
  expect(text()).toContain(">  29");
  await type("\u001b[6~", () => (store.current().selected ?? 30) < 12);
  await type("\u001b[H", () => store.current().selected === 30);
});

test("enter opens the review, escape leads back, and the frame shows each", async () => {
  const { text, type, store, effects } = shown(2);
  await waitFor("the first frame", () => text().includes("> "));
  await type("\r", () => store.current().screens.length === 1);
  expect(effects).toContainEqual({ kind: "load-review", jobId: 2 });
  store.dispatch({ kind: "review", jobId: 2, review: review(job(2), "The index may be negative.") });
  await waitFor("the review", () => text().includes("The index may be negative."));
  await type("\u001b", () => store.current().screens.length === 0);
  await waitFor("the list", () => text().includes("> "));
});

test("keys that arrive at once are each what they are: a wish is asked for, typed and sent", async () => {
  const { text, type, store, effects } = shown(3);
  await waitFor("the first frame", () => text().includes(">   3"));
  await type("jjk", () => store.current().selected === 2);
  await type("cquit? 宽字符\n", () => text().includes("quit? 宽字符"));
  await type("more\r", () => store.current().screens.length === 0);
  expect(effects).toContainEqual({ kind: "comment", jobId: 2, text: "quit? 宽字符\nmore" });
});

test("text that is pasted is typed whole where something is typed, and is no keys where nothing is", async () => {
  const paste = (pasted: string) => `\u001b[200~${pasted}\u001b[201~`;
  const { text, type, store, effects } = shown(1);
  await waitFor("the first frame", () => text().includes("> "));
  await type(`${paste("ccc\rq")}c`, () => store.current().screens.length === 1);
  expect(text()).toContain("Comment on #1");
  await type(paste("one\r\ntwo\rthree\n"), () => text().includes("three"));
  expect(store.current().screens).toMatchObject([{ text: "one\ntwo\nthree\n" }]);
  await type("\u001b", () => store.current().screens.length === 0);
  await type(`f${paste("sh\rop")}`, () => text().includes("sh op"));
  expect(effects.filter(({ kind }) => kind !== "load-repos")).toEqual([]);
  await type("\u0003", () => effects.some(({ kind }) => kind === "quit"));
});

test("a frame is drawn only when something has changed", async () => {
  const { text, frames, store } = shown(3);
  await waitFor("the first frame", () => text().includes("> "));
  const before = new Set(frames).size;
  store.dispatch({ kind: "branches", repo: "/nowhere", branches: [] });
  store.dispatch({ kind: "tick", nowMs });
  await Bun.sleep(0);
  expect(new Set(frames).size).toBe(before);
});
