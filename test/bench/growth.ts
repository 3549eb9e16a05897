import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import type { HookEventBody } from "../../src/daemon/api/hook-event.ts";
import { type Connection, connectTo } from "../support/connection.ts";
import { startDaemon } from "../support/daemon-process.ts";
import type { Scene } from "./scene.ts";
import { livingBranches, ownOpenReviews, type SeedSize, seed, timedSession } from "./seed.ts";

const rounds = 1000;
const warmUp = 200;

const small: SeedSize = { sessions: 1, reviews: 10, onePerOpen: 33 };
const sizes: Record<string, SeedSize> = {
  small,
  "10,000 sessions": { ...small, sessions: 10_000 },
  "100,000 reviews": { ...small, reviews: 100_000 },
  "2,000 open elsewhere": { ...small, reviews: 2_000, onePerOpen: 1 },
  "2,000 open of living branches": { ...small, reviews: 2_000, onePerOpen: 1, isContained: true },
};

// A turn is counted, hence written; a command that commits nothing changes nothing.
const turn = { hook_event_name: "Stop", channel: "block" as const, ends_turn: true };
const command = { hook_event_name: "PostToolUse", channel: "context" as const, tool_name: "Bash" };

export interface Growth {
  event: string;
  /** What there is much of. */
  size: string;
  smallMs: number;
  largeMs: number;
}

/** Medians of the same events in a daemon that has hardly anything, and in others that have much of one thing. */
export async function measureGrowth(scene: Scene): Promise<Growth[]> {
  await using daemons = new AsyncDisposableStack();
  const sockets: string[] = [];
  const head = scene.git("rev-parse", "HEAD");
  const detached = join(scene.place, "detached");
  scene.git("worktree", "add", "-q", "--detach", detached, "HEAD");
  scene.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "ahead");
  for (const branch of livingBranches) scene.git("branch", branch);
  const ahead = scene.git("rev-parse", "HEAD");
  const repo = { path: scene.repo, head, ahead, elsewhere: commitElsewhere(scene, 2_000) };
  for (const [index, size] of Object.values(sizes).entries()) {
    const dataDir = join(scene.place, `grown-${index}`);
    mkdirSync(dataDir, { mode: 0o700 });
    await seed(dataDir, repo, size);
    daemons.use(await startDaemon(dataDir, { ...scene.env, ROBOREV_DATA_DIR: dataDir }));
    sockets.push(daemonSocketPath(dataDir));
  }
  // Only now: a daemon closes connections that are idle for as long as it takes to seed the others.
  const connections: Connection[] = [];
  for (const socket of sockets) connections.push(daemons.use(await connectTo(socket)));
  const growth: Growth[] = [];
  const events: Record<string, Partial<HookEventBody>> = {
    turn: { ...turn, cwd: repo.path },
    command: { ...command, cwd: repo.path },
    "detached HEAD": { ...command, cwd: detached },
  };
  for (const [event, body] of Object.entries(events)) {
    const all = await medians(connections, body);
    const [[, smallMs = 0] = [], ...large] = Object.keys(sizes).map((size, n) => [size, all[n]] as const);
    for (const [size, largeMs = 0] of large) growth.push({ event, size, smallMs, largeMs });
  }
  return growth;
}

/** A branch with so many commits of its own; their ids. */
function commitElsewhere(scene: Scene, count: number): string[] {
  let stream = "reset refs/heads/elsewhere\nfrom refs/heads/main\n\n";
  for (let n = 0; n < count; n++)
    stream += `commit refs/heads/elsewhere\ncommitter A <a@example.invalid> ${1_700_000_000 + n} +0000\ndata 1\nx\n`;
  const { repo: cwd, env } = scene;
  const run = Bun.spawnSync(["git", "fast-import", "--quiet"], { cwd, env, stdin: Buffer.from(stream) });
  if (run.exitCode !== 0) throw new Error(`git fast-import: ${run.stderr}`);
  return scene.git("rev-list", "main..elsewhere").split("\n");
}

/** Sends the event to all of them in turns, in a rotating order, so that drift hits all of them alike. */
async function medians(connections: Connection[], body: Partial<HookEventBody>): Promise<number[]> {
  const times = connections.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (let place = 0; place < connections.length; place++) {
      const index = (place + round + warmUp) % connections.length;
      const event = { session_id: timedSession, hook_event_name: "", turn_id: `t${round}`, ...body };
      const sinceMs = performance.now();
      const answer = await connections[index]?.hook({ agent: "claude", event });
      if (round >= 0) times[index]?.push(performance.now() - sinceMs);
      if (answer?.failed_review_count !== ownOpenReviews || answer.triggered)
        throw new Error(`the event was not decided as it is timed for: ${JSON.stringify(answer)}`);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[rounds / 2] ?? 0);
}
