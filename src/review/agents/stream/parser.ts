import type { TokenUsage } from "../../../store/schema.ts";

/** What a reviewer's output came to. */
export interface StreamResult {
  /** Text of the assistant after its last tool call. */
  text: string;
  sessionId?: string;
  usage?: TokenUsage;
  /** The reviewer's own report that it failed: the first one. */
  failure?: string;
  /** Whether anything at all was understood. */
  recognised: boolean;
  /**
   * What is there may be the start of a review: the event that ends this program's output is missing, or says that the
   * model was stopped in the middle.
   */
  isCut?: true;
}

/** Reads a reviewer's standard output as it comes, in chunks of any size. */
export interface StreamParser {
  /** It takes whatever is printed for the review, so that its understanding it says nothing. */
  takesAnything?: true;
  feed(chunk: Uint8Array): void;
  /** No more output: a last line without a line end counts. */
  end(): StreamResult;
}

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textField = (object: JsonObject, name: string): string | undefined => {
  const value = object[name];
  return typeof value === "string" ? value : undefined;
};

export const numberField = (object: JsonObject, name: string): number => {
  const value = object[name];
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
};
