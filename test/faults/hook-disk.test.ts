import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { mayMount, openNamespace } from "../scenarios/stage.ts";
import { type Connection, connectTo } from "../support/connection.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

const sessions = Array.from({ length: 32 }, (_, n) => `s${n}`);

/** One turn of each session at the same time; what each was answered. */
function turns(connections: Connection[], cwd: string, turn: number) {
  return Promise.all(
    connections.map((connection, n) =>
      connection.send("POST", "/api/agent-hook/event", {
        agent: "claude",
        event: {
          session_id: sessions[n],
          hook_event_name: "Stop",
          channel: "block",
          ends_turn: true,
          cwd,
          turn_id: `t${turn}`,
        },
      }),
    ),
  );
}

async function counts(daemon: DaemonProcess): Promise<number[]> {
  const { body } = await daemon.send("GET", "/api/agent-hook/sessions");
  const state = (body as { sessions: Record<string, { count: number }> }).sessions;
  return sessions.map((session) => state[`claude:${session}`]?.count ?? 0);
}

// Mounting needs root and Linux.
test.skipIf(!mayMount)(
  "97 G7 on a full disk every event of a batch is refused and none counts; with room again all go on, also after kill -9",
  async () => {
    using dir = tempDir();
    using repo = testRepo();
    const namespace = await openNamespace(`mount -t tmpfs -o size=4m,mode=700 tmpfs ${dir.path}`);
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(async () => {
      namespace.holder.kill("SIGKILL");
      await namespace.holder.exited;
    });
    const daemon = cleanUp.use(await startDaemon(dir.path, {}, namespace));
    await daemon.send("POST", "/api/repos/register", { repo_path: repo.path });
    const connections = await Promise.all(
      sessions.map(async () => cleanUp.use(await connectTo(daemon.socket))),
    );
    for (const { status } of await turns(connections, repo.path, 1)) expect(status).toBe(200);

    const fill = `/proc/${namespace.pid}/root${dir.path}/fill`;
    expect(() => writeFileSync(fill, Buffer.alloc(8 * 1024 * 1024))).toThrow("ENOSPC");
    const acknowledged = sessions.map(() => 1);
    let refused = 0;
    for (let turn = 2; turn <= 5; turn++) {
      for (const [n, { status, body }] of (await turns(connections, repo.path, turn)).entries()) {
        if (status === 200) acknowledged[n]!++;
        else {
          expect([status, body]).toEqual([500, expect.objectContaining({ code: "E_WRITE" })]);
          refused++;
        }
      }
    }
    // What was left of the journal's last page may have taken a few.
    expect(refused).toBeGreaterThan(2 * sessions.length);
    expect(await counts(daemon)).toEqual(acknowledged);

    rmSync(fill);
    for (const { status } of await turns(connections, repo.path, 6)) expect(status).toBe(200);
    const all = acknowledged.map((count) => count + 1);
    expect(await counts(daemon)).toEqual(all);
    await daemon.kill();
    const next = cleanUp.use(await startDaemon(dir.path, {}, namespace));
    expect(await counts(next)).toEqual(all);
  },
  30_000,
);
