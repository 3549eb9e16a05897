import { parseConfigText } from "../../edit/config-text.ts";
import type { Harness } from "../../harness/harness.ts";
import { isOurs } from "../ownership.ts";
import type { Place } from "../places.ts";
import { surveyHandlers } from "../survey.ts";

/** One registered command, whatever the format of its file. */
export interface Entry {
  event: string;
  matcher: unknown;
  command: string;
  /** In the harness's own unit, as it stands there. */
  timeout: unknown;
  ours: boolean;
}

/**
 * Every command of a hook file, in order. Where earlier releases put theirs, and the harness does not look, the event
 * is named with that place. Throws for what is not such a file.
 */
export function readEntries(harness: Harness, place: Place, bytes: Uint8Array | null): Entry[] {
  if (bytes === null) return [];
  const { path, shape } = place;
  const document = parseConfigText(shape.language, path, bytes);
  const owned = (command: string) => isOurs(harness, command);
  const former = shape.formerBase;
  const handlers = [
    ...surveyHandlers(document, shape, owned),
    ...(former === undefined
      ? []
      : surveyHandlers(document, shape, owned, former).map((handler) => ({
          ...handler,
          event: [...former, handler.event].join("."),
        }))),
  ];
  return handlers.flatMap(({ event, matcher, value, ours }) => {
    const fields = value as Record<string, unknown>;
    const commands = commandFields.map((field) => fields[field]).filter((text) => typeof text === "string");
    const command = commands.find(owned) ?? commands[0];
    if (command === undefined) return [];
    const timeout = fields[harness.config.timeoutField ?? "timeout"];
    return { event, matcher: shape.grouped ? matcher : fields.matcher, command, timeout, ours };
  });
}

const commandFields = ["bash", "command", "powershell"];

/** A command that runs our hook without being ours to change: a script, a pipeline, another manager's line. */
export const isWrapper = ({ command, ours }: Entry): boolean =>
  !ours && /\broborev\b.*\b(?:agent|droid)-hook\b/is.test(command);
