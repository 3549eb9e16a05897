import { afterEach } from "bun:test";
import { dataPaths } from "../../../src/config/paths.ts";
import { type Clock, systemClock } from "../../../src/lib/clock.ts";
import type { StagedState } from "../../../src/reminder/state.ts";
import { HookStateFiles } from "../../../src/store/hook-state/hook-state.ts";
import { HookLedger } from "../../../src/store/hook-state/ledger.ts";
import { showState } from "../../../src/store/hook-state/snapshot.ts";
import { delivery, fixSession } from "../../support/hook-rows.ts";

// A test "kills" a daemon by opening its files again; the abandoned handles are closed here.
const opened: HookStateFiles[] = [];
afterEach(async () => {
  for (const files of opened.splice(0)) await files.close();
});

/** A ledger on real files. Its time stands still, so that no snapshot is due before `skip`, unless a clock is given. */
export async function openLedger(dataDir: string, given?: Clock) {
  const paths = dataPaths(dataDir);
  const { files, state } = await HookStateFiles.open(paths);
  opened.push(files);
  const errors: unknown[] = [];
  let skippedMs = 0;
  const clock = given ?? { now: systemClock.now, monotonicMs: () => skippedMs };
  const ledger = new HookLedger(files, state, clock, (error) => errors.push(error));
  const skip = (ms: number) => {
    skippedMs += ms;
  };
  return { paths, files, state, errors, ledger, skip };
}

/** From now on a snapshot that has begun is not written before `release`. */
export function holdSnapshots(files: HookStateFiles) {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const begin = files.beginSnapshot.bind(files);
  const held = { begun: begun.promise, release: released.resolve, begins: 0 };
  files.beginSnapshot = async (state) => {
    held.begins++;
    const snapshot = await begin(state);
    begun.resolve();
    return {
      ...snapshot,
      write: async () => {
        await released.promise;
        return snapshot.write();
      },
    };
  };
  return held;
}

export function deliver(staged: StagedState): void {
  staged.sessions.put("claude:a", { count: 1 });
  staged.fixSessions.put("/r\0worktree\0/r", fixSession);
  staged.deliveries.put("d1", delivery);
}

export const shown = (ledger: HookLedger) => showState(ledger.published);
export const delivered = {
  sessions: { "claude:a": { count: 1 } },
  fix_sessions: { "/r\0worktree\0/r": fixSession },
  deliveries: { d1: delivery },
};

export const count = (ledger: HookLedger, key: string) => ledger.published.sessions.get(key)?.count;
