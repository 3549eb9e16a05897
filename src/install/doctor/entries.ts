import type { Harness } from "../../harness/harness.ts";
import { isOurs } from "../ownership.ts";

/** One registered command, whatever the format of its file. */
export interface Entry {
  event: string;
  matcher: unknown;
  command: string;
  /** In the harness's own unit, as it stands there. */
  timeout: unknown;
  ours: boolean;
}

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The content of a configuration file by its extension. Throws for what is not in that format. */
export function parseConfig(path: string, bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") return undefined;
  if (/\.ya?ml$/i.test(path)) return Bun.YAML.parse(text);
  if (/\.toml$/i.test(path)) return Bun.TOML.parse(text);
  return Bun.JSONC.parse(text);
}

/** Every command of a hook file, in order. Groups of handlers and flat entries may stand side by side. */
export function readEntries(harness: Harness, document: unknown): Entry[] {
  if (!isRecord(document)) return [];
  const maps = [document.hooks, harness.config.bareEventMap ? document : undefined].filter(isRecord);
  return maps.flatMap((map) =>
    Object.entries(map).flatMap(([event, items]) =>
      Array.isArray(items) ? items.filter(isRecord).flatMap((item) => entriesOf(harness, event, item)) : [],
    ),
  );
}

function entriesOf(harness: Harness, event: string, item: Fields): Entry[] {
  const handlers = Array.isArray(item.hooks) ? item.hooks.filter(isRecord) : [item];
  return handlers.flatMap((handler) => {
    const commands = commandFields.map((field) => handler[field]).filter((text) => typeof text === "string");
    const command = commands.find((text) => isOurs(harness, text)) ?? commands[0];
    if (command === undefined) return [];
    return {
      event,
      matcher: item.matcher,
      command,
      timeout: handler[harness.config.timeoutField ?? "timeout"],
      ours: isOurs(harness, command),
    };
  });
}

const commandFields = ["bash", "command", "powershell"];

/** A command that runs our hook without being ours to change: a script, a pipeline, another manager's line. */
export const isWrapper = ({ command, ours }: Entry): boolean =>
  !ours && /\broborev\b.*\b(?:agent|droid)-hook\b/is.test(command);
