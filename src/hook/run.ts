import type { requestDaemon } from "../client/transport.ts";
import { loadHarness } from "../harness/load.ts";
import { installedOptions, isSilentAtSight } from "./at-sight.ts";
import { diagnosticLine, printAnswer, printDiagnostic } from "./output.ts";
import { type Payload, readPayload } from "./stdin.ts";

/** Everything that a hook call touches. */
export interface HookWorld {
  env: Record<string, string | undefined>;
  cwd: () => string;
  stdin: () => ReadableStream<Uint8Array>;
  monotonicMs: () => number;
  /** Default: this program's own path, when it is one file. */
  executable?: () => string | undefined;
  /** Default: over the daemon's socket. */
  request?: typeof requestDaemon;
  /** Default: the codec that is built in. */
  load?: typeof loadHarness;
}

/** What the hook says: one JSON document or nothing, at most one line, and a status that no harness takes for a veto. */
export interface HookAnswer {
  stdout?: string;
  stderr?: string;
  exitCode: 0 | 1;
}

/** `agent-hook run`: answers the harness on standard output and returns the exit status. */
export async function runHook(args: readonly string[]): Promise<number> {
  const answer = await answerHook(args, {
    env: process.env,
    cwd: () => process.cwd(),
    stdin: () => Bun.stdin.stream(),
    monotonicMs: () => performance.now(),
  });
  if (answer.stdout !== undefined) printAnswer(answer.stdout);
  if (answer.stderr !== undefined) printDiagnostic(answer.stderr);
  return answer.exitCode;
}

/** Whatever goes wrong behind a correct registration, the harness gets its empty answer and goes on. */
export async function answerHook(args: readonly string[], world: HookWorld): Promise<HookAnswer> {
  const startMs = world.monotonicMs();
  const options = installedOptions(args);
  let payload: Payload | undefined;
  if (options) {
    payload = await readPayload(world.stdin());
    if (payload.kind === "object" && isSilentAtSight(payload.fields)) return { stdout: "{}", exitCode: 0 };
  }
  // Loaded only now: what most calls do not need would cost each of them. Both at once: 0.05 ms (Bun 1.4.5).
  const loading = import("./answer.ts");
  loading.catch(() => undefined); // told by the await below; until that there is none to hear it
  try {
    const load = world.load ?? loadHarness;
    const installed = options && { options, harness: await load(options.agent) };
    const { answerInFull } = await loading;
    return await answerInFull({ args, installed, payload, world, startMs });
  } catch (error) {
    return { stdout: "{}", stderr: diagnosticLine(String(error)), exitCode: 0 };
  }
}
