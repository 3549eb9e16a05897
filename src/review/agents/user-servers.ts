import { isObject } from "./stream/parser.ts";

/**
 * Names of the MCP servers in files of the form `{"mcpServers": {…}}`. A file that is not plain JSON names none; its
 * servers start, but no review is offered their tools.
 */
export function serverNames(files: ReadonlyMap<string, string>): string[] {
  return [...files.values()].flatMap((text) => {
    const servers = objectOf(text)?.mcpServers;
    // A name that could be taken for an option is left to itself.
    return isObject(servers) ? Object.keys(servers).filter((name) => /^\w[\w. :/@-]*$/.test(name)) : [];
  });
}

/** A JSON object, or undefined for anything else. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
