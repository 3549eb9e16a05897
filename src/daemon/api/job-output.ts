import { type Static, Type } from "@sinclair/typebox";
import { JobStatusSchema } from "../../store/schema.ts";

/** A line of what a reviewer said and did, in words: no event of its program, nothing that a terminal would obey. */
export const OutputLineSchema = Type.Object({
  /** A very long one is cut, and ends with `…`. */
  text: Type.String(),
  line_type: Type.Union([
    Type.Literal("text"),
    Type.Literal("reasoning"),
    Type.Literal("tool"),
    Type.Literal("note"),
    Type.Literal("error"),
    /** Nothing that its program is known to print. */
    Type.Literal("other"),
  ]),
});
export type OutputLine = Static<typeof OutputLineSchema>;

export const JobOutputSchema = Type.Object({
  job_id: Type.Integer(),
  status: JobStatusSchema,
  lines: Type.Array(OutputLineSchema),
  /** The job has not ended: there may be more later. */
  has_more: Type.Boolean(),
  /** What came before these lines is left out; `/api/job/log` has all of it. */
  truncated: Type.Optional(Type.Literal(true)),
});
export type JobOutputResponse = Static<typeof JobOutputSchema>;

/** One document of the stream. A `restart`: the job is tried anew, and what came before belongs to another run. */
export const OutputEventSchema = Type.Union([
  Type.Object({ type: Type.Literal("line"), ...OutputLineSchema.properties }),
  Type.Object({ type: Type.Literal("restart") }),
  Type.Object({ type: Type.Literal("complete"), status: JobStatusSchema }),
]);
export type OutputEvent = Static<typeof OutputEventSchema>;
