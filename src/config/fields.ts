import { type TOptional, type TUnsafe, Type } from "@sinclair/typebox";
import { type ReasoningLevel, reasoningLevels, tryParseReasoning } from "./reasoning.ts";

// Building blocks of the two configuration schemas. Values are checked after `normalize`: words are trimmed and
// lower-cased, and a blank value means that the key is not set.

export const severities = ["critical", "high", "medium", "low"] as const;
export type MinSeverity = (typeof severities)[number];

/** How a value is brought into its checked form; stored in the schema beside the rule it prepares for. */
export type Normalize = "word" | "reasoning" | "line";

/** What help and README say about a key; stored in its rule. */
export interface About {
  /** A phrase that completes "`key`: …". */
  description: string;
  /** In words, what holds where nobody sets the key; only for one without a default. */
  unset?: string;
  /** Keys of one kind are described once, under this label. */
  family?: string;
  /** It is read when the daemon starts, and only then. */
  needsRestart?: true;
}

const word = <const T extends readonly string[]>(values: T, about: About): TOptional<TUnsafe<T[number]>> =>
  Type.Optional(Type.Unsafe<T[number]>({ type: "string", enum: [...values], normalize: "word", ...about }));

export const severity = (about: About) => word(severities, about);
export const mergeCommits = (about: About) => word(["skip", "first-parent"], about);
export const postCommitReview = (about: About) => word(["commit", "branch"], about);
export const reasoning = (about: About): TOptional<TUnsafe<ReasoningLevel>> =>
  Type.Optional(
    Type.Unsafe<ReasoningLevel>({
      type: "string",
      enum: [...reasoningLevels],
      normalize: "reasoning",
      ...about,
    }),
  );
export const agentName = (about: About) =>
  Type.Optional(
    Type.String({
      pattern: "^[a-z0-9][a-z0-9._-]{0,63}$",
      normalize: "word",
      expected: "the name of a reviewer",
      isAgent: true,
      ...about,
    }),
  );
export const text = (about: About) =>
  Type.Optional(Type.String({ maxLength: 65_536, expected: "a text", ...about }));
export const line = (about: About, maxLength = 4096) =>
  Type.Optional(
    Type.String({
      maxLength,
      pattern: "^[^\\r\\n]*$",
      normalize: "line",
      expected: "a text on one line",
      ...about,
    }),
  );
/** `Name <mail>`, as git takes the author of a commit. */
export const person = (about: About) =>
  Type.Optional(
    Type.String({
      pattern:
        "^[^<>\\s\\x00-\\x1f\\x7f](?:[^<>\\x00-\\x1f\\x7f]*[^<>\\s\\x00-\\x1f\\x7f])? <[^<>\\s\\x00-\\x1f\\x7f]+>$",
      maxLength: 256,
      normalize: "line",
      expected: "a name and an address, like Ada <ada@example.com>",
      ...about,
    }),
  );
export const flag = (about: About) => Type.Optional(Type.Boolean({ ...about }));
export const whole = (minimum: number, maximum: number, about: About) =>
  Type.Optional(Type.Integer({ minimum, maximum, ...about }));
export const list = (about: About) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { maxItems: 1000, ...about }));

/** A time like `90s` or `1h30m`; kept as it is written. */
export const duration = (range: { minMs: number; maxMs: number }, about: About & { expected: string }) =>
  Type.Optional(Type.String({ duration: range, normalize: "line", ...about }));

/** Becomes an argument of the reviewer program, so it must not look like an option. */
export const model = (about: About) =>
  Type.Optional(
    Type.String({
      pattern: "^[^-\\s][^\\r\\n]*$",
      maxLength: 512,
      normalize: "line",
      expected: "the name of a model",
      ...about,
    }),
  );
/** A repository's choice: also no `model@url`, which would send code and credentials to an address of its making. */
export const repoModel = (about: About) =>
  Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9._:/+\\[\\]-]*(@[A-Za-z0-9._-]+)?$",
      maxLength: 128,
      normalize: "line",
      expected: "the plain name of a model",
      ...about,
    }),
  );

/** The value as the schema wants to see it; `undefined` for a blank one. */
export function normalizeValue(value: unknown, how: Normalize | undefined): unknown {
  if (typeof value !== "string" || how === undefined) return value;
  const trimmed = value.trim();
  if (trimmed === "") return undefined;
  if (how === "line") return trimmed;
  if (how === "reasoning") return tryParseReasoning(trimmed) ?? trimmed;
  return trimmed.toLowerCase();
}
