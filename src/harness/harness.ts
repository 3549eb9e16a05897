/** The events that every harness's own names map to. */
export type HookEventName =
  | "SessionStart"
  | "SessionEnd"
  | "UserPromptSubmit"
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "Stop"
  | "SubagentStart"
  | "SubagentStop"
  | "PreCompact"
  | "PostCompact"
  | "Notification"
  | "PermissionRequest"
  | "Other";

/** A hook call in the common vocabulary. Fields that the harness did not send are absent. */
export interface HookEvent {
  event: HookEventName;
  /** The harness's own spelling, for diagnostics. */
  nativeEvent: string;
  sessionId: string;
  cwd?: string;
  /** What the harness calls one user turn (`prompt_id`, `turn_id`). */
  turnId?: string;
  /** This Stop follows a Stop that a hook blocked, in the same turn. */
  stopHookActive?: boolean;
  /** `Bash` for the shell tool of every harness; other tools keep their own name. */
  tool?: string;
  toolUseId?: string;
  /** Shell tool: the whole command text. */
  command?: string;
  /** Shell tool: the directory that the tool input itself names. */
  toolDirectory?: string;
  /** Shell tool: the command was sent to the background. */
  background?: boolean;
  /** Set when a sub-agent raised the event. */
  agentId?: string;
}

/** What we ask of the harness. `context` after a tool, `block` at the end of a turn; `none` at any event. */
export type HookDecision =
  | { kind: "none" }
  | { kind: "context"; text: string }
  | { kind: "block"; text: string };

/**
 * A payload is decoded, or it is another harness's, or no session can be told from it (both answered empty, exit 0),
 * or it is malformed.
 */
export type Decoded =
  | { kind: "event"; event: HookEvent }
  | { kind: "foreign"; from: string }
  | { kind: "anonymous" }
  | { kind: "malformed"; problem: string };

/** How a harness's configuration file carries our registrations. */
export interface Registration {
  /** Native event name. */
  event: string;
  /** Tool matcher, for tool events. */
  matcher?: string;
}

/** Everything that is particular to one harness, as data. Nothing outside `harness/` switches on a harness's name. */
export interface Harness {
  /** Value of `--agent`. */
  name: string;
  displayName: string;
  /** Program looked up on PATH for detection. */
  executable: string;
  config: {
    /** Variable that moves the configuration directory. */
    directoryVariable?: string;
    /** Directory below HOME. */
    directory: string;
    file: string;
    format: "nested-json";
    timeoutUnit: "seconds" | "milliseconds";
  };
  registrations: Registration[];
  /** Events in which text reaches the model, and how (measured, see each harness's file). */
  delivers: { afterTool: boolean; atStop: boolean };
  /** Longest text that reaches the model whole, in bytes. */
  maxTextBytes: number;
  /** Exit status for a malformed payload: 0 where 1 would hurt the session. */
  malformedExit: 0 | 1;
  /** How an old registration of ours, without the marker, is recognised: by carrying no `--agent` at all. */
  legacy?: "no-agent-flag";
  /** Told to the user after hooks were written. */
  afterInstall?: string;
  decode(payload: Record<string, unknown>): Decoded;
  /** The native answer, one JSON document. */
  encode(event: HookEventName, decision: HookDecision): string;
}
