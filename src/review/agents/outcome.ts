import { redactSecrets } from "../../lib/redact.ts";
import { singleLine, truncateUtf8 } from "../../lib/text.ts";
import type { TokenUsage } from "../../store/schema.ts";
import { limitOf } from "./limits.ts";
import type { StreamResult } from "./stream/parser.ts";

export type FailureReason =
  | "canceled"
  | "timeout"
  /** No program that could run as this reviewer: not there, too old, or wrongly configured. */
  | "missing"
  | "exit"
  | "empty"
  | "unreadable"
  /** It ended like one that is done, in the middle of its answer. */
  | "cut"
  | "quota"
  | "transient"
  | "context-window";

export type ReviewerOutcome =
  | { ok: true; text: string; sessionId?: string; usage?: TokenUsage; durationMs: number }
  | {
      ok: false;
      reason: FailureReason;
      /** One line. */
      message: string;
      retryable: boolean;
      /** With `quota`: how long not to ask this reviewer again, where it says so. */
      cooldownMs?: number;
    };

type FailedOutcome = Extract<ReviewerOutcome, { ok: false }>;

/** How a reviewer process ended, and what it had printed by then. */
export interface EndedRun {
  reviewer: string;
  /** `flooded`: it printed more than anyone reads, and was ended. */
  end: "exited" | "canceled" | "timeout" | "flooded";
  /** Its exit status, or the name of the signal that ended it. */
  exit: number | string;
  stderrTail: string;
  result: StreamResult;
  durationMs: number;
  timeoutMs: number;
  now: Date;
}

/** What a run came to. Empty or unreadable output is a failure, never a review. */
export function decideOutcome(run: EndedRun): ReviewerOutcome {
  const { reviewer, result } = run;
  const failed = (reason: FailureReason, retryable: boolean, text: string): FailedOutcome => ({
    ok: false,
    reason,
    retryable,
    message: oneLine(`${reviewer} ${text}`),
  });
  if (run.end === "canceled") return failed("canceled", false, "was canceled");
  if (run.end === "timeout") return failed("timeout", true, `did not finish within ${spoken(run.timeoutMs)}`);
  if (run.end === "flooded") return failed("unreadable", false, "printed more than 256 MiB");
  if (result.failure !== undefined || run.exit !== 0) return failureOutcome(run, failed);
  if (result.text.trim() !== "") {
    if (result.isCut) return failed("cut", true, `ended before its answer did${tail(run.stderrTail)}`);
    return {
      ok: true,
      text: result.text,
      durationMs: run.durationMs,
      ...(result.sessionId === undefined ? {} : { sessionId: result.sessionId }),
      ...(result.usage === undefined ? {} : { usage: result.usage }),
    };
  }
  return result.recognised || run.stderrTail.trim() === ""
    ? failed("empty", true, "returned no text")
    : failed(
        "unreadable",
        false,
        `printed nothing that this version of roborev understands${tail(run.stderrTail)}`,
      );
}

function failureOutcome(
  run: EndedRun,
  failed: (reason: FailureReason, retryable: boolean, text: string) => FailedOutcome,
): ReviewerOutcome {
  // What the program reports as the cause counts; its diagnostics only when it reports none.
  const cause = run.result.failure ?? run.stderrTail;
  const limit = limitOf(run.reviewer, cause, run.now);
  const status =
    run.exit === 0 ? "" : ` (${typeof run.exit === "number" ? "exit" : "killed by"} ${run.exit})`;
  const text = `failed${status}${tail(cause)}`;
  switch (limit.class) {
    case "quota":
    case "session": {
      const quota = failed("quota", false, text);
      return limit.until ? { ...quota, cooldownMs: limit.until.getTime() - run.now.getTime() } : quota;
    }
    case "transient":
      return failed("transient", true, text);
    case "context-window":
      return failed("context-window", false, text);
    case "login":
      return failed("exit", false, text);
    case "none":
      return failed("exit", true, text);
  }
}

const tail = (text: string): string => (text.trim() === "" ? "" : `: ${singleLine(text)}`);

const oneLine = (text: string): string => {
  const line = singleLine(redactSecrets(text)); // before it is cut, which could leave half a secret
  const cut = truncateUtf8(line, 1000);
  return cut === line ? line : `${cut}…`;
};

function spoken(timeoutMs: number): string {
  return timeoutMs >= 60_000 && timeoutMs % 60_000 === 0
    ? `${timeoutMs / 60_000} min`
    : `${timeoutMs / 1000} s`;
}
