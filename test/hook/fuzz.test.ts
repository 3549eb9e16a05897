import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { HookRequestSchema } from "../../src/daemon/api/hook-event.ts";
import { harnessNames } from "../../src/harness/names.ts";
import { mutate, random } from "./mutation.ts";
import { quiet, runInProcess } from "./world.ts";

const fixtures = join(import.meta.dir, "../fixtures/harness");
const runs = 10_000;

describe.each(harnessNames.map((agent, at) => [agent, at] as const))("G3, %s", (agent, at) => {
  const files = readdirSync(join(fixtures, agent)).filter((file) => file.endsWith(".json"));
  const payloads = files.map((file) => readFileSync(join(fixtures, agent, file)));

  test(`${runs} broken payloads: exit 0 or 1, one object on standard output, one line on standard error`, async () => {
    const next = random(at + 1);
    for (let run = 0; run < runs; run++) {
      const input = mutate(payloads[next(payloads.length)] as Uint8Array, next);
      const answer = await runInProcess({
        args: ["--agent", agent],
        input,
        daemon: () => ({ status: 200, body: { ...quiet, triggered: next(2) === 0, reason: "fix it" } }),
      });
      expect([0, 1]).toContain(answer.exitCode);
      expect(JSON.parse(answer.stdout ?? "")).toBeObject();
      expect(answer.stderr ?? "").not.toContain("\n");
      expect([...(answer.stderr ?? "")].length).toBeLessThanOrEqual(200);
      for (const { request } of answer.calls) expect(Value.Check(HookRequestSchema, request)).toBe(true);
    }
  }, 120_000);
});
