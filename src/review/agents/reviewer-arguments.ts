import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import { isSessionId } from "./stream/session-id.ts";

/** `flag model`, or nothing. A model that could be taken for an option is refused, not passed on. */
export function checkedModel(model: string | undefined, flag: string): string[] {
  if (model === undefined || model === "") return [];
  if (model.startsWith("-") || model.length > 256 || singleLine(model) !== model) {
    throw new RoborevError(`${JSON.stringify(singleLine(model).slice(0, 80))} is not the name of a model`, {
      code: "E_MODEL",
      hint: "Correct the model in the command or the configuration.",
    });
  }
  return [flag, model];
}

/** `flag id` for a conversation to continue; an id that could be anything else starts a new conversation instead. */
export function resumable(sessionId: string | undefined, flag: string): string[] {
  return sessionId !== undefined && isSessionId(sessionId) ? [flag, sessionId] : [];
}
