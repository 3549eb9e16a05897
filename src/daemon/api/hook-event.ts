import { type Static, Type } from "@sinclair/typebox";

// The hook's question and the daemon's answer (POST /api/agent-hook/event). The hook sends what it was given;
// the daemon resolves configuration, git and reviews, decides, persists, and only then answers.

const text = Type.String({ maxLength: 4096 });

export const HookEventSchema = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 512 }),
  /** Canonical name: `PreToolUse`, `PostToolUse`, `Stop`, … */
  hook_event_name: Type.String({ maxLength: 64 }),
  cwd: Type.Optional(text),
  turn_id: Type.Optional(Type.String({ maxLength: 512 })),
  stop_hook_active: Type.Optional(Type.Boolean()),
  /** How a text reaches the model in answer to this event; absent: not at all. */
  channel: Type.Optional(Type.Union([Type.Literal("context"), Type.Literal("block")])),
  /** Stop: a turn of the user's own ended. */
  ends_turn: Type.Optional(Type.Boolean()),
  /** UserPromptSubmit: the harness made this prompt itself. */
  wake_up: Type.Optional(Type.Boolean()),
  /** Canonical tool: `Bash`. */
  tool_name: Type.Optional(Type.String({ maxLength: 256 })),
  tool_use_id: Type.Optional(Type.String({ maxLength: 512 })),
  /** Set when the event comes from a sub-agent of the session. */
  agent_id: Type.Optional(Type.String({ maxLength: 512 })),
  /** First 4 KiB of the shell command. */
  command: Type.Optional(Type.String({ maxLength: 16_384 })),
  /** What the recogniser found in the whole command: git verbs that can move HEAD, and where they run. */
  commit: Type.Optional(
    Type.Object({ verb: Type.String({ maxLength: 32 }), directories: Type.Array(text, { maxItems: 32 }) }),
  ),
  /** Directory that the tool input itself names. */
  tool_directory: Type.Optional(text),
  /** The command went to the background and has not ended. */
  background: Type.Optional(Type.Boolean()),
});
export type HookEventBody = Static<typeof HookEventSchema>;

export const HookRequestSchema = Type.Object({
  agent: Type.String({ minLength: 1, maxLength: 64 }),
  event: HookEventSchema,
  // Flags, present exactly when given.
  threshold: Type.Optional(Type.Integer()),
  commit_threshold: Type.Optional(Type.Integer()),
  failed_review_threshold: Type.Optional(Type.Integer()),
  instruction: Type.Optional(Type.String({ maxLength: 65_536 })),
  /** The feature's environment variables as they are, by their full names. */
  env: Type.Optional(Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 65_536 }))),
  /** Absolute path of `--config`. */
  config: Type.Optional(text),
  /** Absolute path of the program that runs the hook, for commands that the reminder names. */
  executable: Type.Optional(text),
  /** `--roborev-server` or its environment variable, when given. */
  server: Type.Optional(text),
});
export type HookRequest = Static<typeof HookRequestSchema>;

export interface HookResponse {
  session_id: string;
  count: number;
  threshold: number;
  failed_review_count?: number;
  failed_review_threshold?: number;
  remind_count?: number;
  triggered: boolean;
  triggered_by?: "failed_reviews" | "commit" | "stop" | "fix_session";
  /** The whole text for the model. */
  reason?: string;
  skipped?: boolean;
  /** One line for standard error: a misspelt variable, an unreadable configuration file. */
  diagnostic?: string;
}
