import { expect, test } from "bun:test";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { dataPaths } from "../../../src/config/paths.ts";
import {
  HookStateFiles,
  type HookStatePaths,
  type PendingSnapshot,
} from "../../../src/store/hook-state/hook-state.ts";
import { applyBatch, batchLine, type JournalBatch } from "../../../src/store/hook-state/journal.ts";
import { tempDir } from "../../support/temp.ts";
import { batches, textOf } from "./arbitrary-state.ts";

type Step = JournalBatch | "begin" | "write" | "finish";

/** What a daemon would find that started now, with `torn` of a line that was never acknowledged. */
async function stateAfterCrash(paths: HookStatePaths, torn: Uint8Array): Promise<string> {
  using dir = tempDir();
  const copy = dataPaths(dir.path);
  mkdirSync(copy.hookDir, { mode: 0o700 });
  copyFileSync(paths.hookState, copy.hookState);
  copyFileSync(paths.hookJournal, copy.hookJournal);
  appendFileSync(copy.hookJournal, torn);
  const { files, state } = await HookStateFiles.open(copy);
  await files.close();
  return textOf(state);
}

/** Takes the steps, and after each expects a crash to lose nothing of what was acknowledged. */
async function take(steps: Step[], torn: (step: number) => Uint8Array): Promise<void> {
  using dir = tempDir();
  const paths = dataPaths(dir.path);
  const { files, state } = await HookStateFiles.open(paths);
  let pending: PendingSnapshot | undefined;
  let isWritten = false;
  for (const [index, step] of steps.entries()) {
    if (step === "begin") {
      pending = await files.beginSnapshot(state);
      isWritten = false;
    } else if (step === "write") {
      await pending?.write();
      isWritten = true;
    } else if (step === "finish") {
      if (isWritten) await pending?.finish();
      pending = undefined;
    } else {
      await files.append(step);
      applyBatch(state, step);
    }
    expect(await stateAfterCrash(paths, torn(index))).toBe(textOf(state));
  }
  await files.close();
}

const nothing = new Uint8Array();
const put = (count: number): JournalBatch => ({
  sessions: { "claude:a": { count }, [`claude:${count}`]: { count }, [`claude:${count - 2}`]: null },
});

test("a crash after any step of a snapshot, with events between the steps, loses none of them", async () => {
  const snapshot: Step[] = [put(1), "begin", put(2), "write", put(3), "finish", put(4)];
  await take([...snapshot, ...snapshot], () => nothing);
});

test("a snapshot that was begun or written and then given up loses nothing either", async () => {
  const steps: Step[] = [put(1), "begin", put(2), "begin", put(3), "write", put(4), "begin", put(5), "write"];
  await take([...steps, "finish", put(6)], () => nothing);
});

test("whatever the order of steps and events, and wherever the next line was torn, all that was acknowledged is there", async () => {
  const steps = fc.array(
    fc.oneof(
      { arbitrary: batches, weight: 2 },
      fc.constantFrom<Step>("begin", "write", "finish"),
    ) as fc.Arbitrary<Step>,
    { minLength: 1, maxLength: 10 },
  );
  const unacknowledged = batchLine({ sessions: { "claude:a": { count: 99 } } });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), (all, seed) =>
      take(all, (index) =>
        Buffer.from(unacknowledged.slice(0, (seed + index * 7) % (unacknowledged.length - 1))),
      ),
    ),
    { numRuns: 25 },
  );
}, 120_000);

test("what a daemon that was killed left half-written is cleared away; what is not ours stays", async () => {
  using dir = tempDir();
  const paths = dataPaths(dir.path);
  mkdirSync(paths.hookDir, { mode: 0o700 });
  const dead = Bun.spawnSync(["true"]).pid;
  for (const name of [`.state.json.${dead}.0a1b2c3d.tmp`, `.state.journal.${dead}.0a1b2c3d.tmp`, "notes.txt"])
    writeFileSync(`${paths.hookDir}/${name}`, "x");
  const { files } = await HookStateFiles.open(paths);
  await files.close();
  expect(readdirSync(paths.hookDir).sort()).toEqual(["notes.txt", "state.journal", "state.json"]);
});
