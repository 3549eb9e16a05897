import { type JsonObject, textField } from "./parser.ts";

/** The conversation's id in an event, under the names that reviewer programs use. */
export function sessionIdOf(event: JsonObject): string | undefined {
  const type = event.type;
  const id =
    textField(event, "session_id") ??
    textField(event, "sessionId") ??
    textField(event, "sessionID") ??
    (type === "session" ? textField(event, "id") : undefined) ??
    (type === "thread.started" ? (textField(event, "thread_id") ?? textField(event, "threadId")) : undefined);
  return id !== undefined && isSessionId(id) ? id : undefined;
}

/** Whether an id may stand on a command line: it cannot be taken for an option or a path. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9._:][A-Za-z0-9._:-]{0,127}$/.test(text);
}
