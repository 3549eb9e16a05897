import { expect, test } from "bun:test";
import type { HookEventBody, HookResponse } from "../../src/daemon/api/hook-event.ts";
import type { Session } from "../../src/reminder/state.ts";
import { type Connection, connectTo } from "../support/connection.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { addReviewedWorktree } from "../support/reviewed-worktree.ts";
import { tempDir } from "../support/temp.ts";

/** All of them take a while: `EVENTS=1000 bun test test/daemon/hook-load.test.ts`. */
const events = Number(process.env.EVENTS ?? 200);
const worktrees = 8;
const sessionsEach = 8;
/** Three reminders for each session. */
const openReviews = 120;

interface Player {
  id: string;
  cwd: string;
  /** It commits in its working tree, where nobody else moves HEAD. */
  commits: boolean;
  turns: number;
  made: number;
  named: number[];
  timesMs: number[];
}

/** Sends its events one after the other; every answer must count exactly the turns so far. */
async function play(player: Player, daemon: Connection): Promise<void> {
  const send = async (event: Partial<HookEventBody>): Promise<HookResponse> => {
    const sinceMs = performance.now();
    const response = await daemon.hook({
      agent: "claude",
      event: { session_id: player.id, hook_event_name: "", cwd: player.cwd, ...event },
      threshold: 5,
      failed_review_threshold: 0,
    });
    player.timesMs.push(performance.now() - sinceMs);
    expect(response.count).toBe(player.turns);
    return response;
  };
  while (player.timesMs.length < events) {
    const step = player.timesMs.length;
    player.turns++;
    const told = await send({
      hook_event_name: "Stop",
      ends_turn: true,
      channel: "block",
      turn_id: `t${step}`,
    });
    if (told.triggered) {
      player.named.push(...namedIds(told));
      await daemon.send("POST", "/api/agent-hook/fix-done", { fix_session_id: told.fix_session_id });
    }
    await send({ hook_event_name: "PostToolUse", tool_name: "Bash", channel: "context" });
    const call = { tool_name: "Bash", tool_use_id: `c${step}`, commit: { verb: "commit", directories: [] } };
    await send({ hook_event_name: "PreToolUse", ...call });
    if (player.commits && step % 200 === 0) {
      const commit = Bun.spawn(["git", "commit", "-q", "--allow-empty", "-m", "x"], { cwd: player.cwd });
      expect(await commit.exited).toBe(0);
      player.made++;
    }
    await send({ hook_event_name: "PostToolUse", channel: "context", ...call });
  }
}

const namedIds = ({ reason = "" }: HookResponse): number[] =>
  (/Review job ids?: (\d+(?:, \d+)*)/.exec(reason)?.[1] ?? "").split(", ").map(Number);

const percentile = (sorted: number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);

test(`G9 64 sessions in 8 working trees with ${events} events each at the same time: counts exact, order kept, no review named twice`, async () => {
  using dir = tempDir();
  using repo = testRepo({ subdirectory: "repo" });
  const players: Player[] = [];
  for (let tree = 0; tree < worktrees; tree++) {
    const cwd = await addReviewedWorktree(dir.path, repo, { name: `w${tree}`, openReviews });
    for (let n = 0; n < sessionsEach; n++)
      players.push({ id: `w${tree}-${n}`, cwd, commits: n === 0, turns: 0, made: 0, named: [], timesMs: [] });
  }
  await using daemon = await startDaemon(dir.path);
  const sinceMs = performance.now();
  await Promise.all(
    players.map(async (player) => {
      using connection = await connectTo(daemon.socket);
      await play(player, connection);
    }),
  );
  const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1);
  const times = players.flatMap(({ timesMs }) => timesMs).sort((a, b) => a - b);
  const [median, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  console.log(`goal G9: ${times.length} events in ${seconds} s, median ${median} ms, p99 ${p99} ms`);

  const shown = async () => (await daemon.send("GET", "/api/agent-hook/sessions")).body;
  const state = (await shown()) as { sessions: Record<string, Session>; fix_sessions?: unknown };
  expect(state.fix_sessions).toBeUndefined(); // each was given back
  for (const { id, cwd, turns, made, named, commits } of players) {
    // Everything was named, each review once.
    expect(new Set(named).size).toBe(openReviews);
    expect(named).toHaveLength(openReviews);
    const session = state.sessions[`claude:${id}`];
    expect(session?.count).toBe(turns);
    const madeHere = players.reduce((sum, other) => sum + (other.cwd === cwd ? other.made : 0), 0);
    if (commits) expect(session?.commit_count ?? 0).toBe(made);
    else expect(session?.commit_count ?? 0).toBeLessThanOrEqual(madeHere);
  }

  // On disk as well: what a daemon that is killed now leaves to the next.
  await daemon.kill();
  await using next = await startDaemon(dir.path);
  expect((await next.send("GET", "/api/agent-hook/sessions")).body).toEqual(state as never);
}, 180_000);
