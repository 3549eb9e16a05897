import { join } from "node:path";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import type { HookEventBody } from "../../src/daemon/api/hook-event.ts";
import { type Connection, connectTo } from "../support/connection.ts";
import { waitFor } from "../support/wait.ts";
import { bareFigure, type Figure, ratioFigure } from "./figure.ts";
import type { Scene } from "./scene.ts";
import { summarize } from "./summary.ts";

const connections = 64;
const eventsEach = 150;

interface Load {
  perSecond: number;
  p99: number;
}

const events: Record<string, Partial<HookEventBody>> = {
  // A command that commits nothing changes nothing; a turn is counted, hence written.
  commands: { hook_event_name: "PostToolUse", channel: "context", tool_name: "Bash" },
  turns: { hook_event_name: "Stop", channel: "block", ends_turn: true },
};

/** Hook events of 64 sessions at once, against the same requests to a server that does nothing. */
export async function measureLoad(scene: Scene): Promise<Figure[]> {
  const bare = await startBareServer(scene);
  const figures: Figure[] = [];
  try {
    for (const [name, event] of Object.entries(events)) {
      const idle = await load(bare.socket, scene, event);
      const own = await load(daemonSocketPath(scene.env.ROBOREV_DATA_DIR ?? ""), scene, event);
      figures.push(
        bareFigure(`${connections} connections, ${name}`, own.perSecond, "per second"),
        bareFigure(`${connections} connections, ${name}, p99`, own.p99, "ms"),
        ratioFigure(`${connections} connections, ${name}`, idle.perSecond / own.perSecond, "an idle server"),
      );
    }
  } finally {
    bare.stop();
  }
  return figures;
}

async function load(socket: string, scene: Scene, event: Partial<HookEventBody>): Promise<Load> {
  using all = new DisposableStack();
  const open: Connection[] = [];
  for (let n = 0; n < connections; n++) open.push(all.use(await connectTo(socket)));
  const times: number[] = [];
  const round = (rounds: number, record: boolean) =>
    Promise.all(
      open.map(async (connection, n) => {
        for (let turn = 0; turn < rounds; turn++) {
          const sinceMs = performance.now();
          const body = { session_id: `load-${n}`, hook_event_name: "", cwd: scene.repo, turn_id: `${turn}` };
          await connection.hook({ agent: "claude", event: { ...body, ...event } });
          if (record) times.push(performance.now() - sinceMs);
        }
      }),
    );
  await round(10, false);
  const sinceMs = performance.now();
  await round(eventsEach, true);
  const elapsedMs = performance.now() - sinceMs;
  return { perSecond: (connections * eventsEach * 1000) / elapsedMs, p99: summarize(times).p99 };
}

async function startBareServer(scene: Scene): Promise<{ socket: string; stop(): void }> {
  const socket = join(scene.place, "bare.sock");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "rivals", "bare-server.ts"), socket], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await waitFor("the bare server", () =>
    fetch("http://localhost/", { unix: socket, method: "POST", body: "{}" }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { socket, stop: () => child.kill() };
}
