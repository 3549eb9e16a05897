import { type Static, Type } from "@sinclair/typebox";

// What every harness's payloads become. The one source: the types that `harness/harness.ts` shows, the hook's question
// (`hook-event.ts`) and the guards of the hook path (`hook/guards.gen.ts`, made by `bun run gen`) come from here.

/** The events that every harness's own names map to. */
export const HookEventNameSchema = Type.Union([
  Type.Literal("SessionStart"),
  Type.Literal("SessionEnd"),
  Type.Literal("UserPromptSubmit"),
  Type.Literal("PreToolUse"),
  Type.Literal("PostToolUse"),
  Type.Literal("PostToolUseFailure"),
  Type.Literal("Stop"),
  Type.Literal("SubagentStart"),
  Type.Literal("SubagentStop"),
  Type.Literal("PreCompact"),
  Type.Literal("PostCompact"),
  Type.Literal("Notification"),
  Type.Literal("PermissionRequest"),
  Type.Literal("Other"),
]);
export type HookEventName = Static<typeof HookEventNameSchema>;

/** `context`: added beside what the model reads anyway. `block`: the turn goes on with the text as its next input. */
export const ChannelSchema = Type.Union([Type.Literal("context"), Type.Literal("block")]);
export type Channel = Static<typeof ChannelSchema>;

/** A hook call in the common vocabulary. Fields that the harness did not send are absent. */
export const HookEventSchema = Type.Object({
  event: HookEventNameSchema,
  /** The harness's own spelling, for diagnostics. */
  nativeEvent: Type.String(),
  sessionId: Type.String({ minLength: 1, maxLength: 512 }),
  cwd: Type.Optional(Type.String()),
  /** What the harness calls one user turn (`prompt_id`, `turn_id`). */
  turnId: Type.Optional(Type.String()),
  /** This Stop follows a Stop that a hook blocked, in the same turn. */
  stopHookActive: Type.Optional(Type.Boolean()),
  /** How a text reaches the model in answer to this very payload, as measured; absent: not at all, or not for sure. */
  channel: Type.Optional(ChannelSchema),
  /** Stop: a turn of the user's own ended here. Some harnesses deliver at another event than the one that ends a turn. */
  endsTurn: Type.Optional(Type.Boolean()),
  /** UserPromptSubmit: the harness made this prompt itself, so that what follows is no turn of the user's own. */
  wakeUp: Type.Optional(Type.Boolean()),
  /** `Bash` for the shell tool of every harness; other tools keep their own name. */
  tool: Type.Optional(Type.String()),
  toolUseId: Type.Optional(Type.String()),
  /** Shell tool: the whole command text. */
  command: Type.Optional(Type.String()),
  /** Shell tool: the directory that the tool input itself names. */
  toolDirectory: Type.Optional(Type.String()),
  /** Shell tool: the command was sent to the background. */
  background: Type.Optional(Type.Boolean()),
  /** Set when a sub-agent raised the event; `sessionId` is its parent's where the payload names it. */
  agentId: Type.Optional(Type.String()),
});
export type HookEvent = Static<typeof HookEventSchema>;
