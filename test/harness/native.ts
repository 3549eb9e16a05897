import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Environment, Harness, HookEvent } from "../../src/harness/harness.ts";
import { isHookEvent } from "../../src/hook/guards.gen.ts";

export type Payload = Record<string, unknown>;

/** The native payloads of one folder of `test/fixtures/harness`, and what a harness makes of them. */
export function native(harness: Harness, folder: string) {
  const directory = join(import.meta.dir, "../fixtures/harness", folder);
  const names = readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .map((file) => basename(file, ".json"))
    .sort();
  const load = (name: string): Payload => JSON.parse(readFileSync(join(directory, `${name}.json`), "utf8"));
  const decoded = (payload: Payload, environment?: Environment): HookEvent => {
    const result = harness.decode(payload, environment);
    if (result.kind !== "event" || !isHookEvent(result.event)) throw new Error(JSON.stringify(result));
    return result.event;
  };
  return { names, load, decoded };
}
