import { type TOptional, type TString, type TUnsafe, Type } from "@sinclair/typebox";
import { type ReasoningLevel, reasoningLevels, tryParseReasoning } from "./reasoning.ts";

// Building blocks of the two configuration schemas. Values are checked after `normalize`: words are trimmed and
// lower-cased, and a blank value means that the key is not set.

export const severities = ["critical", "high", "medium", "low"] as const;
export type MinSeverity = (typeof severities)[number];

/** Kinds of work that can have a reviewer, a model and a reasoning level of their own. */
export const workflows = ["review", "refine", "fix", "security", "design"] as const;
export type Workflow = (typeof workflows)[number];

/** How a value is brought into its checked form; stored in the schema beside the rule it prepares for. */
export type Normalize = "word" | "reasoning" | "line";

const word = <const T extends readonly string[]>(values: T): TOptional<TUnsafe<T[number]>> =>
  Type.Optional(Type.Unsafe<T[number]>({ type: "string", enum: [...values], normalize: "word" }));

export const severity = () => word(severities);
export const mergeCommits = () => word(["skip", "first-parent"]);
export const postCommitReview = () => word(["commit", "branch"]);
export const reasoning = (): TOptional<TUnsafe<ReasoningLevel>> =>
  Type.Optional(
    Type.Unsafe<ReasoningLevel>({ type: "string", enum: [...reasoningLevels], normalize: "reasoning" }),
  );
export const agentName = () =>
  Type.Optional(Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$", normalize: "word" }));
export const text = (maxLength = 65_536) => Type.Optional(Type.String({ maxLength }));
export const line = (maxLength = 4096) =>
  Type.Optional(Type.String({ maxLength, pattern: "^[^\\r\\n]*$", normalize: "line" }));
export const flag = () => Type.Optional(Type.Boolean());
export const whole = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }));
export const list = () =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 1000 }));

/** Becomes an argument of the reviewer program, so it must not look like an option. */
export const model = () =>
  Type.Optional(Type.String({ pattern: "^[^-\\s][^\\r\\n]*$", maxLength: 512, normalize: "line" }));
/** A repository's choice: also no `model@url`, which would send code and credentials to an address of its making. */
export const repoModel = () =>
  Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9._:/+\\[\\]-]*(@[A-Za-z0-9._-]+)?$",
      maxLength: 128,
      normalize: "line",
    }),
  );

type Suffix = "" | `_${ReasoningLevel}`;
export type WorkflowKey<Noun extends string> = `${Workflow}_${Noun}${Suffix}`;
type WorkflowFields = Record<WorkflowKey<"agent" | "model">, TOptional<TString>>;

/** `<workflow>_agent`, `<workflow>_model`, each also with `_<reasoning level>`. */
export function workflowFields(modelField: () => TOptional<TString>): WorkflowFields {
  const suffixes = ["", ...reasoningLevels.map((level) => `_${level}`)];
  const entries = workflows.flatMap((workflow) =>
    suffixes.flatMap((suffix) => [
      [`${workflow}_agent${suffix}`, agentName()],
      [`${workflow}_model${suffix}`, modelField()],
    ]),
  );
  return Object.fromEntries(entries) as WorkflowFields;
}

/** Reviewer and threshold keys that mean the same in both files. */
export const sharedFields = {
  review_reasoning: reasoning(),
  refine_reasoning: reasoning(),
  fix_reasoning: reasoning(),
  review_min_severity: severity(),
  refine_min_severity: severity(),
  fix_min_severity: severity(),
  review_context_count: whole(0, 100),
  job_timeout_minutes: whole(1, 24 * 60),
  exclude_patterns: list(),
  auto_close_passing_reviews: flag(),
  merge_commits: mergeCommits(),
  review_guidelines: text(),
};

/** The value as the schema wants to see it; `undefined` for a blank one. */
export function normalizeValue(value: unknown, how: Normalize | undefined): unknown {
  if (typeof value !== "string" || how === undefined) return value;
  const trimmed = value.trim();
  if (trimmed === "") return undefined;
  if (how === "line") return trimmed;
  if (how === "reasoning") return tryParseReasoning(trimmed) ?? trimmed;
  return trimmed.toLowerCase();
}
