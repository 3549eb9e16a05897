import { measureGrowth } from "./growth.ts";
import { type Candidate, measure } from "./measure.ts";
import { buildScene, failReviews, residentMiB, type Scene } from "./scene.ts";

// `bun run bench`: the hook against an empty compiled Bun program, and a daemon that has much against one that has
// little, each in one run. Only the ratios mean anything.

const rounds = 100;
const targets = { local: 1.3, roundTrip: 1.8, residentMiB: 80, growth: 1.3 };
const sessionId = "bench-session";

type Event = "PreToolUse" | "PostToolUse" | "Stop";

function payload(scene: Scene, event: Event): string {
  const tool = {
    tool_name: "Bash",
    tool_input: { command: "npm test -- --watch=false", description: "Run the tests" },
    tool_use_id: "toolu_01BenchBenchBench",
  };
  const result = { tool_response: { stdout: "ok\n", stderr: "", interrupted: false, isImage: false } };
  return JSON.stringify({
    session_id: sessionId,
    prompt_id: "00000000-0000-4000-8000-000000000002",
    transcript_path: `${scene.env.HOME}/.claude/projects/bench/${sessionId}.jsonl`,
    cwd: scene.repo,
    permission_mode: "default",
    hook_event_name: event,
    ...(event === "Stop" ? { stop_hook_active: false, last_assistant_message: "Done." } : tool),
    ...(event === "PostToolUse" ? result : {}),
  });
}

function candidates(scene: Scene): Candidate[] {
  const base = { env: scene.env, cwd: scene.repo };
  const hook = {
    ...base,
    argv: [scene.roborev, "agent-hook", "run", "--agent", "claude"],
    check: expectSilence,
  };
  return [
    {
      ...base,
      name: "empty program",
      argv: [scene.empty],
      stdin: payload(scene, "PreToolUse"),
      check: () => {},
    },
    { ...hook, name: "hook, answered in the process", stdin: payload(scene, "PreToolUse") },
    { ...hook, name: "hook, after a command", stdin: payload(scene, "PostToolUse") },
    // Counts a turn, hence writes: an event that changes nothing is answered without waiting for the disk.
    { ...hook, name: "hook, full round trip", stdin: payload(scene, "Stop") },
  ];
}

function expectSilence(stdout: string): void {
  if (stdout.trim() !== "{}") throw new Error(`expected an empty answer, got ${stdout.slice(0, 200)}`);
}

function report(what: string, value: number, target: number, unit: string): boolean {
  const met = value <= target;
  console.log(
    `${what.padEnd(36)} ${value.toFixed(2)} ${unit}  (target ≤ ${target} ${unit}) ${met ? "ok" : "MISSED"}`,
  );
  return met;
}

async function main(): Promise<number> {
  using scene = await buildScene();
  await failReviews(scene, 3); // below the threshold of 4, so that every event is evaluated and stays silent
  const results = measure(candidates(scene), rounds);
  // The hook fails open: without this, an unreachable daemon would look like a fast one.
  if (!scene.run("agent-hook", "status").includes(sessionId))
    throw new Error("the daemon did not see the session");
  for (const { name, medianMs, p5Ms } of results) {
    console.log(
      `${name.padEnd(36)} median ${medianMs.toFixed(2)} ms, p5 ${p5Ms.toFixed(2)} ms, ${rounds} runs`,
    );
  }
  const [empty, local, after, roundTrip] = results.map(({ medianMs }) => medianMs) as [
    number,
    number,
    number,
    number,
  ];
  const { daemon } = JSON.parse(scene.run("status", "--json")) as { daemon: { pid: number } };
  const growth = await measureGrowth(scene);
  return [
    report("answered in the process", local / empty, targets.local, "× empty"),
    report("after a command", after / empty, targets.roundTrip, "× empty"),
    report("full round trip, persisted", roundTrip / empty, targets.roundTrip, "× empty"),
    report("daemon, resident", residentMiB(daemon.pid), targets.residentMiB, "MiB"),
    ...growth.map(({ event, size, smallMs, largeMs }) =>
      report(`${event}, ${size}`, largeMs / smallMs, targets.growth, `× ${smallMs.toFixed(2)} ms`),
    ),
  ].every(Boolean)
    ? 0
    : 1;
}

process.exit(await main());
