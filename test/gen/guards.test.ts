import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { HookEventSchema } from "../../src/daemon/api/canonical-event.ts";
import { HookAnswerSchema } from "../../src/daemon/api/hook-event.ts";
import { harnesses } from "../../src/harness/registry.ts";
import { isHookAnswerBody, isHookEvent } from "../../src/hook/guards.gen.ts";
import { guardsPath, renderGuards } from "./guards.ts";

test("the hook's guards are what their schemas say; if not, run `bun run gen`", () => {
  expect(readFileSync(guardsPath, "utf8")).toBe(renderGuards());
});

test("a guard takes and refuses what its schema does", () => {
  const event = { event: "Stop", nativeEvent: "Stop", sessionId: "s" };
  const events = [
    event,
    { ...event, cwd: "/", channel: "block", endsTurn: true, unheardOf: 1 },
    { ...event, event: "Finished" },
    { ...event, sessionId: "" },
    { ...event, sessionId: "s".repeat(513) },
    { ...event, channel: "shout" },
    { ...event, background: "yes" },
    { ...event, cwd: null },
  ];
  const answers = [{ triggered: false }, { triggered: 1 }, { triggered: true, reason: {} }];
  const odd = [null, undefined, [], "", 1, {}];
  const schemas = [TypeCompiler.Compile(HookEventSchema), TypeCompiler.Compile(HookAnswerSchema)] as const;
  const all: unknown[] = [...events, ...answers, ...odd];
  expect(all.map(isHookEvent)).toEqual(all.map((value) => schemas[0].Check(value)));
  expect(all.map(isHookAnswerBody)).toEqual(all.map((value) => schemas[1].Check(value)));
  expect(all.filter(isHookEvent)).toHaveLength(2);
  expect(all.filter(isHookAnswerBody)).toHaveLength(1);
});

test.each(harnesses)("whatever $name sends becomes an event that the guard takes", ({ name, decode }) => {
  const directory = join(import.meta.dir, "../fixtures/harness", name);
  const files = [...new Bun.Glob("**/*.json").scanSync(directory)];
  const decoded = files.map((file) => decode(JSON.parse(readFileSync(join(directory, file), "utf8"))));
  const events = decoded.flatMap((one) => (one.kind === "event" ? one.event : []));
  expect(events.length).toBeGreaterThan(3);
  expect(events.filter((event) => !isHookEvent(event))).toEqual([]);
});
