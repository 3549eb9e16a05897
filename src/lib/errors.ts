/** Exit codes of every command but `agent-hook run`, which knows only 0 and 1. */
export const ExitCode = { done: 0, failed: 1, rejected: 2, interrupted: 130 } as const;

export interface RoborevErrorOptions {
  /** Machine-readable, `E_…`, stable across releases. */
  code?: string;
  /** What the user can do about it, one sentence. */
  hint?: string;
  exitCode?: number;
  cause?: unknown;
}

/** A failure that the user should read: one line that says what, where, and (hint) what to do. */
export class RoborevError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, options: RoborevErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "RoborevError";
    this.code = options.code ?? "E_FAILED";
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? ExitCode.failed;
  }
}

/** Codes of refusals that stay: a commit that was refused with one of them will never be reviewed. */
export const neverReviewable: readonly string[] = ["E_NOT_A_REPO", "E_REF", "E_INVALID"];

/** Rejected from the arguments alone, before any side effect (exit 2). */
export class UsageError extends RoborevError {
  constructor(message: string, options: RoborevErrorOptions = {}) {
    super(message, { code: "E_USAGE", exitCode: ExitCode.rejected, ...options });
    this.name = "UsageError";
  }
}

/** The message of anything that can be thrown, on one line; the system's own in words: what, where, why. */
export function errorMessage(error: unknown): string {
  const text = oneLine(error);
  const [, reason, call, path] = systemText(error, text) ?? [];
  if (reason === undefined || call === undefined || path === undefined) return text;
  const verb = { mkdir: "create", unlink: "remove", rmdir: "remove", lstat: "look at", stat: "look at" }[
    call
  ];
  return `cannot ${verb ?? call} ${path}: ${reason}`;
}

/** Why something failed, for a message that says what and where by itself: `read-only file system`. */
export function failureReason(error: unknown): string {
  const text = oneLine(error);
  return systemText(error, text)?.[1] ?? text;
}

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s*[\r\n]+\s*/g, " ").trim();

/** `EROFS: read-only file system, open '/x'`: reason, call and path. */
const systemText = (error: unknown, text: string) =>
  errorCode(error) === undefined ? null : /^E[A-Z0-9]+: (.+?), (\w+)(?: '(.*?)'(?: -> '.*')?)?$/.exec(text);

/** The `code` of a system error (`ENOENT`), else undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
