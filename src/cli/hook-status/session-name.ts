import type { DaemonClient } from "../../client/daemon.ts";
import { RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import { isUuid } from "../../lib/uuid.ts";

/** Ids that begin with a time differ later. */
const leastShown = 8;
const maxColumns = 28;

const agentOf = (key: string): string => key.slice(0, key.indexOf(":") + 1);
const idOf = (key: string): string => key.slice(key.indexOf(":") + 1);

/** Short names of sessions, `claude:0b6cf6f2`: of a UUID as much as tells it from the others. */
export function sessionNames(keys: Iterable<string>): (key: string) => string {
  const ids = new Set([...keys].map((key) => idOf(key).toLowerCase()));
  return (key) => {
    const id = idOf(key);
    const short = isUuid(id) ? shortest(id, ids) : clipped(singleLine(id), maxColumns);
    return `${singleLine(agentOf(key))}${short || "(an id that cannot be shown)"}`;
  };
}

function shortest(id: string, ids: ReadonlySet<string>): string {
  const own = id.toLowerCase();
  let length = leastShown;
  for (const other of ids) {
    while (other !== own && length < own.length && other.startsWith(own.slice(0, length))) length++;
  }
  return id.slice(0, length);
}

/** As much of a text as fits, by what a terminal shows. */
export function clipped(text: string, columns: number): string {
  if (Bun.stringWidth(text) <= columns) return text;
  let kept = "";
  for (const character of text) {
    if (Bun.stringWidth(`${kept}${character}`) >= columns) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * The session that a user means: by its key or id as it is, or by the beginning of one UUID as `sessionNames` shows it.
 * A word that stands for no session is left as it is.
 */
export async function sessionNamed(
  word: string,
  { hookSessions }: Pick<DaemonClient, "hookSessions">,
): Promise<string> {
  if (!/^([a-z]+:)?[0-9a-f]{8}[0-9a-f-]{0,27}$/i.test(word)) return word;
  const keys = Object.keys((await hookSessions()).sessions);
  if (keys.some((key) => key === word || idOf(key) === word)) return word;
  const begin = word.toLowerCase();
  const found = keys.filter(
    (key) => isUuid(idOf(key)) && [key, idOf(key)].some((whole) => whole.toLowerCase().startsWith(begin)),
  );
  if (found.length < 2) return found[0] ?? word;
  throw new RoborevError(`${word} stands for several sessions: ${found.map(singleLine).join(", ")}`, {
    code: "E_AMBIGUOUS",
    hint: "Write more of the id.",
  });
}
