import type { Channel, HookEvent, HookEventName } from "../daemon/api/canonical-event.ts";

// The common vocabulary; its schema is the source of these types.
export type { Channel, HookEvent, HookEventName };

/** What we ask of the harness: nothing, or that a text reaches the model by the event's channel. */
export type HookDecision = { kind: "none" } | { kind: Channel; text: string };

/**
 * A payload is decoded, or it is another harness's, or no session can be told from it (both answered empty, exit 0),
 * or it is malformed.
 */
export type Decoded =
  | { kind: "event"; event: HookEvent }
  | { kind: "foreign"; from: string }
  | { kind: "anonymous" }
  | { kind: "malformed"; problem: string };

/** Variables of the hook process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One event to register. */
export interface Registration {
  /** Native event name. */
  event: string;
  /** Tool matcher, for tool events. */
  matcher?: string;
}

/** Where a harness reads its hooks, and how an entry looks there. */
export interface ConfigFile {
  /** Variable that moves the configuration directory. */
  directoryVariable?: string;
  /** Directory below that variable's value, where it does not name the directory itself. */
  belowVariable?: string;
  /** Directory below HOME. */
  directory: string;
  /** Windows: the directory below the value of a variable, if that is set, in place of the one below HOME. */
  windowsDirectory?: { variable: string; directory: string };
  /** Path below the directory. */
  file: string;
  /** `nested-json`: groups of handlers with a matcher; `direct-json`: one flat entry each; `yaml`: the same in YAML. */
  format: "nested-json" | "direct-json" | "yaml";
  /** The event map is the document itself, not its member `hooks`. */
  bareEventMap?: boolean;
  /** Files below the directory that it reads instead, while those before hold no hooks: the first with hooks counts. */
  alternatives?: readonly { file: string; bareEventMap?: boolean }[];
  /** Hooks are registered for the user only: a file in a project's directory of the same name is refused. */
  userScopeOnly?: boolean;
  /** The harness reads JSON with comments. */
  comments?: boolean;
  /** Number that the document must carry as `version`. */
  version?: number;
  /** Member that holds the time-out; default `timeout`. */
  timeoutField?: string;
  timeoutUnit: "seconds" | "milliseconds";
  /** Bounds in that unit, beyond which the harness reads the number as something else. */
  timeoutRange?: { min: number; max: number };
  /** Members that hold the command, one per kind of shell; default `command`. */
  commandFields?: readonly ("command" | "bash" | "powershell")[];
  /** Further members of each entry. */
  entryFields?: Readonly<Record<string, string | number | boolean>>;
  /**
   * How the command is wrapped so that a roborev that is gone, crashes or hangs never blocks the session:
   * `or-empty`: `… || echo '{}'`; `if-present`: `command -v B >/dev/null 2>&1 || exit 0; exec B … 2>/dev/null`.
   */
  guard?: "or-empty" | "if-present";
}

/** How the turns of a harness are told apart, so that no turn is blocked twice and none is counted twice. */
export interface TurnRules {
  /** `stop_hook_active`: silences, or only says something if we did block in this turn (older Qwen sets it always). */
  activeFlag: "silences" | "if-we-blocked";
  /** A turn id means the same turn only for this long (Gemini: a hash of the prompt). */
  lifetimeMs?: number;
  /** A turn lasts until an event that ends it, whatever ids there are (Hermes). */
  untilEnd?: boolean;
}

/** Everything that is particular to one harness, as data. Nothing outside `harness/` switches on a harness's name. */
export interface Harness {
  /** Value of `--agent`. */
  name: string;
  displayName: string;
  /** Program looked up on PATH for detection. */
  executable: string;
  /** Others use that name too: the program's real path, or the version that it prints, has to contain this word. */
  executableMark?: string;
  config: ConfigFile;
  registrations: Registration[];
  turns: TurnRules;
  /** Reminders are delivered only if the user switched them on with this key of `[agent_hook]`; they are evaluated anyway. */
  optIn?: "cursor_followup";
  /** Section of the configuration, and infix of the variables, that it reads. */
  settingsSection: "agent_hook" | "droid_hook";
  /** It runs the agent's commands with git's hooks switched off: their commits are queued from the hook event. */
  withoutGitHooks?: true;
  /** Longest text that reaches the model whole, in bytes. */
  maxTextBytes: number;
  /** Exit status for a malformed payload: 0 where 1 would hurt the session. */
  malformedExit: 0 | 1;
  /** How an old registration of ours, without the marker, is recognised: by no `--agent` at all, or by exactly its own. */
  legacy?: "no-agent-flag" | "own-agent-flag";
  /** What its oldest registrations said in place of `agent-hook`; those need no `--agent`. */
  legacyGroup?: string;
  /** The trial payload of the installer, where it differs from Claude Code's. */
  trial?: Readonly<Record<string, unknown>>;
  /** Told to the user after hooks were written. */
  afterInstall?: string;
  /** `environment`: of the hook process, for what the payload leaves out. */
  decode(payload: Record<string, unknown>, environment?: Environment): Decoded;
  /** The native answer, one JSON document. Throws for a decision that the event cannot carry: that is our mistake. */
  encode(event: Pick<HookEvent, "event" | "nativeEvent">, decision: HookDecision): string;
}
