import { type Static, Type } from "@sinclair/typebox";

export const HealthComponentSchema = Type.Object({
  name: Type.Union([
    Type.Literal("database"),
    Type.Literal("workers"),
    Type.Literal("config"),
    Type.Literal("agent_hook"),
  ]),
  healthy: Type.Boolean(),
  message: Type.Optional(Type.String()),
});
export type HealthComponent = Static<typeof HealthComponentSchema>;

export const RecentErrorSchema = Type.Object({
  ts: Type.String(),
  component: Type.String(),
  message: Type.String(),
  job_id: Type.Optional(Type.Integer()),
});
export type RecentError = Static<typeof RecentErrorSchema>;

/** Whether the daemon is well, for whoever watches over it. */
export const HealthStatusSchema = Type.Object({
  healthy: Type.Boolean(),
  /** It takes new work and can keep it: it is not about to stop, and its disk is not full. */
  ready: Type.Boolean(),
  uptime_seconds: Type.Integer(),
  version: Type.String(),
  components: Type.Array(HealthComponentSchema),
  /** The last ten, the newest first; `level` is what it is in a log. */
  recent_errors: Type.Array(Type.Object({ ...RecentErrorSchema.properties, level: Type.Literal("error") })),
  error_count_24h: Type.Integer(),
});
export type HealthStatus = Static<typeof HealthStatusSchema>;
