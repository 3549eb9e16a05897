import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { HookEventSchema } from "./canonical-event.ts";

// The hook's question and the daemon's answer (POST /api/agent-hook/event). The hook sends what it was given;
// the daemon resolves configuration, git and reviews, decides, persists, and only then answers.

const text = Type.String({ maxLength: 4096 });

/** Longest text of each field that the daemon takes. */
const atMost = <T extends TSchema>(schema: T, maxLength: number): T => ({ ...schema, maxLength });
const event = HookEventSchema.properties;

/** The canonical event as it travels, without what the daemon does not need. */
export const HookEventBodySchema = Type.Object({
  session_id: event.sessionId,
  /** Canonical name. Any text, so that a newer hook can talk to an older daemon. */
  hook_event_name: Type.String({ maxLength: 64 }),
  cwd: atMost(event.cwd, 4096),
  turn_id: atMost(event.turnId, 512),
  stop_hook_active: event.stopHookActive,
  channel: event.channel,
  ends_turn: event.endsTurn,
  wake_up: event.wakeUp,
  tool_name: atMost(event.tool, 256),
  tool_use_id: atMost(event.toolUseId, 512),
  agent_id: atMost(event.agentId, 512),
  /** First 4 KiB of the shell command. */
  command: atMost(event.command, 16_384),
  /** What the recogniser found in the whole command: git verbs that can move HEAD, and where they run. */
  commit: Type.Optional(
    Type.Object({ verb: Type.String({ maxLength: 32 }), directories: Type.Array(text, { maxItems: 32 }) }),
  ),
  tool_directory: atMost(event.toolDirectory, 4096),
  background: event.background,
});
export type HookEventBody = Static<typeof HookEventBodySchema>;

export const HookRequestSchema = Type.Object({
  agent: Type.String({ minLength: 1, maxLength: 64 }),
  event: HookEventBodySchema,
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
  /** What the variable that moves the harness's configuration says, where it is set. */
  config_directory: Type.Optional(text),
  /** `--roborev-server` or its environment variable, when given. */
  server: Type.Optional(text),
});
export type HookRequest = Static<typeof HookRequestSchema>;

export const HookResponseSchema = Type.Object({
  session_id: Type.String(),
  count: Type.Integer(),
  threshold: Type.Integer(),
  commit_count: Type.Optional(Type.Integer()),
  commit_threshold: Type.Optional(Type.Integer()),
  failed_review_count: Type.Optional(Type.Integer()),
  failed_review_threshold: Type.Optional(Type.Integer()),
  remind_count: Type.Optional(Type.Integer()),
  triggered: Type.Boolean(),
  triggered_by: Type.Optional(
    Type.Union([
      Type.Literal("failed_reviews"),
      Type.Literal("commit"),
      Type.Literal("stop"),
      Type.Literal("fix_session"),
    ]),
  ),
  /** The whole text for the model. */
  reason: Type.Optional(Type.String()),
  skipped: Type.Optional(Type.Boolean()),
  /** The record of this text, as `agent-hook log` shows it. */
  delivery_id: Type.Optional(Type.String()),
  /** The fix session that the text opens or belongs to. */
  fix_session_id: Type.Optional(Type.String()),
  /** One line for standard error: a misspelt variable, an unreadable configuration file. */
  diagnostic: Type.Optional(Type.String()),
});
export type HookResponse = Static<typeof HookResponseSchema>;

/** What the hook reads of it: the rest may come in another shape from another release. */
export const HookAnswerSchema = Type.Pick(HookResponseSchema, ["triggered", "reason", "diagnostic"]);
export type HookAnswerBody = Static<typeof HookAnswerSchema>;
