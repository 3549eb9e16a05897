import type { JsonValue } from "../edit/tree.ts";
import type { Harness } from "../harness/harness.ts";

/** Carried by every command that we register, as a word of its own. */
export const ownershipMarker = "--source=roborev-agent-hook";

/** The command of a registration, before it is written the way a harness wants it. */
export interface HookCommand {
  /** For a POSIX shell, or exactly what `--command` said. */
  text: string;
  /** Known when we built the command ourselves. */
  argv?: string[];
}

/** The command that runs our hook for `agent`, talking to the daemon at `socketPath` if one is given. */
export function buildCommand(binary: string, agent: string, socketPath?: string): HookCommand {
  const argv = [binary, "agent-hook", "run", "--agent", agent, ownershipMarker];
  if (socketPath !== undefined) argv.push("--roborev-server", `unix://${socketPath}`);
  return { text: argv.map(quotePosix).join(" "), argv };
}

/** One word for a POSIX shell. `=` is quoted too: a first word with `=` would be an assignment. */
export function quotePosix(word: string): string {
  return /^[A-Za-z0-9/._+:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The command for Windows. PowerShell takes a leading quoted path for a string and not for a program
 * (openai/codex#46454), and its quotes break where cmd runs the command: what needs quotes goes encoded.
 */
export function windowsCommand(argv: readonly string[]): string {
  if (argv.every((word) => /^[A-Za-z0-9/\\._+:=-]+$/.test(word))) return argv.join(" ");
  const call = argv.map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");
  const script = `& ${call}; exit $LASTEXITCODE`;
  return `powershell -NoProfile -EncodedCommand ${Buffer.from(script, "utf16le").toString("base64")}`;
}

/** One registered command as the harness's file holds it. A timeout of 0 leaves the field out. */
export function handlerOf(
  harness: Harness,
  command: HookCommand,
  timeoutMs: number,
): { [key: string]: JsonValue } {
  const { timeoutUnit, windowsCommandField } = harness.config as Harness["config"] & WindowsField;
  return {
    type: "command",
    command: command.text,
    ...(windowsCommandField && command.argv ? { [windowsCommandField]: windowsCommand(command.argv) } : {}),
    ...(timeoutMs > 0 ? { timeout: timeoutUnit === "seconds" ? timeoutMs / 1000 : timeoutMs } : {}),
  };
}

/** A second command that the harness runs on Windows, where it has a field for one. */
interface WindowsField {
  windowsCommandField?: string;
}
