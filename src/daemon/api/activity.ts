import { type Static, Type } from "@sinclair/typebox";

/** Something that happened in this daemon. */
export const ActivityEntrySchema = Type.Object({
  ts: Type.String(),
  /** Its type in the event stream, `daemon.started`, or `error`. */
  event: Type.String(),
  component: Type.String(),
  /** One line for people. */
  message: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
});
export type ActivityEntry = Static<typeof ActivityEntrySchema>;

export const ActivityResponseSchema = Type.Object({
  /** Newest first. */
  entries: Type.Array(ActivityEntrySchema),
});
export type ActivityResponse = Static<typeof ActivityResponseSchema>;
