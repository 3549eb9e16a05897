import { expect, test } from "bun:test";
import { join } from "node:path";
import { dataPaths } from "../../src/config/paths.ts";
import { HookStateFiles } from "../../src/store/hook-state/hook-state.ts";
import { tempDir } from "../support/temp.ts";
import { killedRun } from "./killed-run.ts";

const kills = 20;
const writer = join(import.meta.dir, "hook-state-writer.ts");

test(`G1 after ${kills} kills amid snapshots no acknowledged event is missing, and none is there in part`, async () => {
  using dir = tempDir();
  const last = new Map<string, number>();
  const generation = async () => (await Bun.file(dataPaths(dir.path).hookState).json()).generation;
  let before: string | undefined;
  let amidSnapshots = 0;
  for (let run = 0; run < kills; run++) {
    for (const [session, count] of await killedRun(writer, dir.path, dir.join(`log-${run}`)))
      last.set(session!, Number(count));
    if (before !== undefined && (await generation()) !== before) amidSnapshots++;
    const { files, state } = await HookStateFiles.open(dataPaths(dir.path));
    await files.close();
    before = await generation();
    for (const [session, count] of last) {
      const seen = state.sessions.get(session)?.count ?? 0;
      expect(seen).toBeGreaterThanOrEqual(count);
      expect(state.fixSessions.get(session)?.close_outs).toBe(seen);
    }
    const ofSessions = [...state.sessions].map(([session, { count }]) => `${session}-${count}`);
    expect([...state.deliveries.keys()].sort()).toEqual(ofSessions.sort());
  }
  expect(last.size).toBe(5);
  // How many depends on how busy the machine is.
  expect(amidSnapshots).toBeGreaterThan(0);
}, 120_000);
