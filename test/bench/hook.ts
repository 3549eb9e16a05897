import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { daemonSocketPath } from "../../src/client/socket-path.ts";
import { type Figure, ratioFigure } from "./figure.ts";
import { type Candidate, type Measured, measure, ratio } from "./measure.ts";
import { bareBun, rivals } from "./rivals.ts";
import type { Scene } from "./scene.ts";

const rounds = 100;
const warmUp = 5;
const targets = { local: 1.2, roundTrip: 1.5, node: 1 / 8, c: 7 };
const sessionId = "bench-session";

type Event = "PreToolUse" | "PostToolUse" | "Stop";

function payload(scene: Scene, event: Event, session = sessionId): string {
  const tool = {
    tool_name: "Bash",
    tool_input: { command: "npm test -- --watch=false", description: "Run the tests" },
    tool_use_id: "toolu_01BenchBenchBench",
  };
  const result = { tool_response: { stdout: "ok\n", stderr: "", interrupted: false, isImage: false } };
  return JSON.stringify({
    session_id: session,
    prompt_id: "00000000-0000-4000-8000-000000000002",
    transcript_path: `${scene.env.HOME}/.claude/projects/bench/${session}.jsonl`,
    cwd: scene.repo,
    permission_mode: "default",
    hook_event_name: event,
    ...(event === "Stop" ? { stop_hook_active: false, last_assistant_message: "Done." } : tool),
    ...(event === "PostToolUse" ? result : {}),
  });
}

function expectSilence(stdout: string): void {
  if (stdout.trim() !== "{}") throw new Error(`expected an empty answer, got ${stdout.slice(0, 200)}`);
}

export interface HookFigures {
  figures: Figure[];
  measured: Measured[];
  /** Rivals that could not be had, each with its reason. */
  absent: string[];
}

/** The hook against an empty program that was compiled the same way, and against the same hook written by others. */
export async function measureHook(scene: Scene): Promise<HookFigures> {
  const base = { env: scene.env, cwd: scene.repo };
  const down = join(scene.place, "no-daemon");
  mkdirSync(down, { mode: 0o700 });
  const hook = {
    ...base,
    argv: [scene.roborev, "agent-hook", "run", "--agent", "claude"],
    check: expectSilence,
  };
  // Counts a turn, hence writes: an event that changes nothing is answered without waiting for the disk.
  const turn = payload(scene, "Stop");
  const ours: Candidate[] = [
    { ...base, name: "empty program", argv: [scene.empty], stdin: payload(scene, "PreToolUse") },
    { ...hook, name: "hook, answered in the process", stdin: payload(scene, "PreToolUse") },
    { ...hook, name: "hook, after a command", stdin: payload(scene, "PostToolUse") },
    { ...hook, name: "hook, full round trip", stdin: turn },
    {
      ...hook,
      name: "hook, daemon down",
      stdin: turn,
      env: { ...scene.env, ROBOREV_DATA_DIR: down },
      says: "no daemon is listening",
    },
  ];
  const socket = daemonSocketPath(scene.env.ROBOREV_DATA_DIR ?? "");
  const others = { ...base, env: { ...scene.env, SOCKET: socket }, check: expectSilence };
  const asked = payload(scene, "Stop", "bench-rival");
  const bare = await bareBun(scene, others, { reads: payload(scene, "PreToolUse"), asks: asked });
  const { candidates, absent } = rivals(scene, { ...others, stdin: asked });
  const measured = measure([...ours, ...bare, ...candidates], rounds, warmUp);
  checkTurns(scene, rounds + warmUp);
  const [empty, local, after, roundTrip, offline, reads, asks, ...rest] = measured as [
    ...[Measured, Measured, Measured, Measured, Measured, Measured, Measured],
    ...Measured[],
  ];
  const limits: Record<string, number> = { "Node script": targets.node, "C program": targets.c };
  return {
    measured,
    absent,
    figures: [
      ratioFigure("answered in the process", ratio(local, empty), "empty", targets.local),
      ratioFigure("after a command", ratio(after, empty), "empty", targets.roundTrip),
      ratioFigure("full round trip, persisted", ratio(roundTrip, empty), "empty", targets.roundTrip),
      ratioFigure("daemon down", ratio(offline, empty), "empty", targets.roundTrip),
      ratioFigure("the least a Bun program takes to read", ratio(reads, empty), "empty"),
      ratioFigure("the least a Bun program takes to ask", ratio(asks, empty), "empty"),
      ratioFigure("answered in the process against the least", ratio(local, reads), "its time"),
      ratioFigure("full round trip against the least", ratio(roundTrip, asks), "its time"),
      ...rest.map((other) =>
        ratioFigure(
          `full round trip against ${other.name}`,
          ratio(roundTrip, other),
          "its time",
          limits[other.name],
        ),
      ),
    ],
  };
}

/** The hook fails open: without this, a daemon that is not asked would look like a fast one. */
function checkTurns(scene: Scene, turns: number): void {
  const { sessions } = JSON.parse(scene.run("agent-hook", "status", "--json")) as {
    sessions: Record<string, { count: number }>;
  };
  const counted = sessions[`claude:${sessionId}`]?.count;
  if (counted !== turns) throw new Error(`the daemon counted ${counted} turns, not ${turns}`);
}
