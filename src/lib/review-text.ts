import type { TokenUsage } from "../store/schema.ts";
import { singleLine } from "./text.ts";

/** A reviewer's name; the built-in one is marked, because its opinion means nothing. */
export function reviewerText(agent: string): string {
  return agent === "test" ? "test (built-in, only looks for BUG: lines)" : singleLine(agent);
}

const kilo = (count: number) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);

/** `118.0k ctx · 28.8k out · ~$0.42`. */
export function usageText(usage: TokenUsage): string {
  const cost = usage.cost_usd === undefined ? "" : ` · ~$${usage.cost_usd.toFixed(2)}`;
  return `${kilo(usage.input + usage.cached)} ctx · ${kilo(usage.output)} out${cost}`;
}

/** A review without the JSON block at its end, which repeats the findings for programs. */
export function withoutDataBlock(output: string): string {
  const text = output.trimEnd();
  const start = text.lastIndexOf("\n```json\n");
  if (start < 0 || !text.endsWith("\n```")) return text;
  try {
    const data: unknown = JSON.parse(text.slice(start + "\n```json\n".length, -"\n```".length));
    const isOurs = typeof data === "object" && data !== null && "schema_version" in data;
    return isOurs && text.slice(0, start).trim() !== "" ? text.slice(0, start).trimEnd() : text;
  } catch {
    return text; // an ordinary code block
  }
}
