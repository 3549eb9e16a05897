import type { HookName } from "../../git/hooks/script.ts";

/** Only an `error` makes `doctor` fail; a `note` is nothing to mend. */
export type Severity = "error" | "warning" | "note";

/** What `--fix` does about it: data, so that a check can be tested without anything happening. */
export type Mend =
  | { do: "chmod"; path: string; mode: number }
  | { do: "git-hooks"; hooks: HookName[] }
  | { do: "skills"; agents: string[] }
  | { do: "start-daemon" };

export interface Finding {
  /** Stable, for programs. */
  code: string;
  severity: Severity;
  message: string;
  /** The command that mends it, or what to do; may span lines. */
  repair?: string;
  mend?: Mend;
}

/** One thing that was looked at. */
export interface Check {
  name: string;
  /** What it is called on the screen. */
  title: string;
  /** How it stands, for the screen: a few words. */
  summary: string;
  findings: Finding[];
}

type More = Pick<Finding, "mend">;
const finding =
  (severity: Severity) =>
  (code: string, message: string, repair?: string, more: More = {}): Finding => ({
    code,
    severity,
    message,
    ...(repair === undefined ? {} : { repair }),
    ...more,
  });

export const error = finding("error");
export const warning = finding("warning");
export const note = finding("note");
