import { PayloadProblem } from "./fields.ts";

// Under event names in camelCase (`preToolUse`, `agentStop`) Copilot sends other payloads, which do not name their event.
// We never register those names, but whoever does by hand gets the same service.

/** Fields that only one event has, the more particular first. */
const marks: readonly (readonly [field: string, event: string])[] = [
  ["agentName", "subagentStop"],
  ["stopReason", "agentStop"],
  ["toolResult", "postToolUse"],
  ["errorContext", "errorOccurred"],
  ["toolArgs", "preToolUse"],
  ["customInstructions", "preCompact"],
  ["prompt", "userPromptSubmitted"],
  ["source", "sessionStart"],
  ["reason", "sessionEnd"],
];

/** The event, in Copilot's camelCase spelling, of a payload without `hook_event_name`; undefined: none that we know. */
export function copilotEventByShape(payload: Record<string, unknown>): string | undefined {
  // The one event that names itself, in a field of its own.
  if (typeof payload.hookName === "string") return payload.hookName;
  if (Object.hasOwn(payload, "toolArgs") && Object.hasOwn(payload, "error")) return "postToolUseFailure";
  for (const [field, event] of marks) if (Object.hasOwn(payload, field)) return event;
  return undefined;
}

/** An object (1.0.102), or JSON text of one (https://docs.github.com/en/copilot/reference/hooks-configuration). */
export function copilotToolInput(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    return JSON.parse(args);
  } catch {
    throw new PayloadProblem("toolArgs is not JSON");
  }
}
