import { type Static, Type } from "@sinclair/typebox";
import { redactedCommandText, redactedUrl } from "../lib/redact.ts";

/** What a hook can wait for. */
export const hookEvents = [
  "review.started",
  "review.completed",
  "review.failed",
  "review.canceled",
  "review.closed",
  "review.reopened",
  "review.commented",
  "review.remapped",
  "review.*",
] as const;

/** One `[[hooks]]` table of either file: a command for the shell, or the address of a webhook. */
export const ReviewHookSchema = Type.Object({
  event: Type.Unsafe<(typeof hookEvents)[number]>({ type: "string", enum: [...hookEvents] }),
  command: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
  type: Type.Optional(Type.Literal("webhook")),
  url: Type.Optional(Type.String({ maxLength: 4096 })),
  /** Seconds. Default 60 for a command, 5 for a webhook. */
  timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
  /** Only jobs of these branches, as globs. */
  branches: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 100 })),
});
export type ReviewHook = Static<typeof ReviewHookSchema>;

export const ReviewHooksSchema = Type.Array(ReviewHookSchema, {
  maxItems: 100,
  description: "commands and webhooks for what happens to reviews; a repository's run once you trust them",
  unset: "none",
  family: "[[hooks]]",
});

/** One line for a list of settings, without secrets. */
export const hookSummary = ({ event, command, url }: ReviewHook): string =>
  `${event}: ${command === undefined ? `POST ${redactedUrl(url ?? "")}` : redactedCommandText(command)}`;
