import { writeSync } from "node:fs";
import { dataPaths } from "../../src/config/paths.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { HookStateFiles } from "../../src/store/hook-state/hook-state.ts";
import { HookLedger } from "../../src/store/hook-state/ledger.ts";
import { delivery, fixSession } from "../support/hook-rows.ts";

// Works until it is killed, and says on standard output what has been acknowledged: `session count` a line. Its rows
// are so long that one snapshot follows the other, and events come at every moment of each.
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error("usage: hook-state-writer.ts DATA-DIR");
const { files, state } = await HookStateFiles.open(dataPaths(dataDir));
const ledger = new HookLedger(files, state, systemClock, (error) => {
  throw error;
});
const rowLength = 64 * 1024;

async function workAs(session: string): Promise<never> {
  for (;;) {
    const count = await ledger.transact(({ sessions, fixSessions, deliveries }) => {
      const next = (sessions.get(session)?.count ?? 0) + 1;
      sessions.put(session, { count: next, last_cwd: `${next}`.padEnd(rowLength) });
      fixSessions.put(session, { ...fixSession, session_id: session, close_outs: next });
      deliveries.forget(`${session}-${next - 1}`);
      deliveries.put(`${session}-${next}`, { ...delivery, session_id: session, review_ids: [next] });
      return next;
    });
    writeSync(1, `${session} ${count}\n`);
    await new Promise(setImmediate); // as between events that come through a socket
  }
}

for (let session = 0; session < 5; session++) void workAs(`claude:${session}`);
