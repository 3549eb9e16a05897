import type { Harness } from "../harness/harness.ts";
import { errorMessage } from "../lib/errors.ts";
import { runProcess } from "../lib/process.ts";
import { singleLine } from "../lib/text.ts";
import { needsShell, wordsOf } from "./guard.ts";
import type { Environment } from "./options.ts";

const timeoutMs = 3_000;

export interface SelfTest {
  harness: Harness;
  /** The registered command, as the harness would hand it to its shell. */
  command: string;
  env: Environment;
  cwd: string;
}

/**
 * Runs the registered command once with a harmless event and says what a session would suffer from it, or
 * undefined when it answers as it must: exit 0 and exactly one JSON document. No shell runs it: the guard around it is
 * looked through, and a command that needs a shell to expand something cannot be tried, which is said as well.
 */
export async function selfTest({ harness, command, env, cwd }: SelfTest): Promise<string | undefined> {
  const words = wordsOf(command);
  const problem = (what: string) => `The ${harness.displayName} hook command ${what}: ${command}`;
  if (!words || needsShell(command)) {
    return problem("needs a shell to be expanded and was not tried out");
  }
  try {
    const run = await runProcess(words, {
      cwd,
      env: sessionEnvironment(env),
      stdin: JSON.stringify(trialPayload(harness, cwd)),
      timeoutMs,
      maxBytes: 64 * 1024,
    });
    if (run.timedOut) return problem(`did not answer within ${timeoutMs / 1000} seconds`);
    const said = singleLine(run.stderr).slice(0, 200);
    const detail = said === "" ? "" : ` (${said})`;
    if (run.exitCode !== 0) return problem(`ended with exit code ${run.exitCode}${detail} when tried out`);
    if (isOneDocument(run.stdout)) return undefined;
    return problem(`did not answer with exactly one JSON object${detail} when tried out`);
  } catch (error) {
    return problem(`could not be started (${singleLine(errorMessage(error))})`);
  }
}

/** A shell command that cannot commit: the hook answers it without asking the daemon, and keeps no record. */
export function trialPayload(harness: Harness, cwd: string): Record<string, unknown> {
  const [registration] = harness.registrations;
  return {
    session_id: "roborev-self-test",
    hook_event_name: registration?.event,
    cwd,
    tool_name: "Bash",
    tool_input: { command: "true" },
    tool_use_id: "roborev-self-test",
    ...harness.trial,
  };
}

/** What a session passes on at the least. Version managers' shims print a banner when they see CLAUDECODE. */
function sessionEnvironment(env: Environment): Environment {
  const kept = ["PATH", "HOME", "USER", "LANG", "TMPDIR", "ROBOREV_DATA_DIR", "SYSTEMROOT", "LOCALAPPDATA"];
  const entries = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...Object.fromEntries(entries), CLAUDECODE: "1" };
}

function isOneDocument(stdout: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(stdout));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false; // the question was whether it parses
  }
}
