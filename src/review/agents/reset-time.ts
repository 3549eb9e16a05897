const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** When a message says that the service answers again: a time of day, a date, a duration. Undefined: it does not say. */
export function resetTime(message: string, now: Date): Date | undefined {
  const text = message.toLowerCase().replace(/[\u202f\u00a0]/g, " ");
  return instant(text) ?? onDate(text, now) ?? atClock(text, now) ?? afterDuration(text, now) ?? epoch(text);
}

const lead = "(?:resets?(?: (?:at|on))?|try again (?:at|on))[: ]+";
const clock = String.raw`(\d{1,2})(?::(\d{2}))?(?: ?([ap])\.?m\b)?`;
const zone = String.raw`(?: \(?(utc|gmt|[a-z]+\/[a-z_]+(?:\/[a-z_]+)?)\)?)?`;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `resets at 2026-12-01T05:00:00Z`. */
function instant(text: string): Date | undefined {
  const match = new RegExp(
    `${lead}(\\d{4}-\\d\\d-\\d\\d)[t ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?) ?(z|utc|[+-]\\d\\d:?\\d\\d)?`,
  ).exec(text);
  if (!match) return undefined;
  const [, date, time, offset] = match;
  return valid(new Date(`${date}T${time}${offset === "utc" ? "Z" : (offset ?? "").toUpperCase()}`));
}

const datePattern = new RegExp(
  `${lead}(${months.join("|")})[a-z]* (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?:,| at)* ${clock}${zone}`,
);

/** `try again at Dec 3rd, 2026 1:05 AM`, `resets Dec 5 at 3pm`; without a year the next such day. */
function onDate(text: string, now: Date): Date | undefined {
  const match = datePattern.exec(text);
  const time = match && clockOf(match.slice(4, 7));
  if (!match || !time) return undefined;
  const month = months.indexOf(match[1] as string);
  const day = Number(match[2]);
  const year = match[3] === undefined ? now.getFullYear() : Number(match[3]);
  const at = inZone({ year, month, day, ...time }, match[7]);
  if (match[3] !== undefined || at === undefined || at.getTime() > now.getTime() - dayMs) return at;
  return inZone({ year: year + 1, month, day, ...time }, match[7]);
}

const clockPattern = new RegExp(`${lead}${clock}${zone}`);

/** `resets at 1:05 am`, `try again at 15:04`, `resets 3pm (Europe/Berlin)`: the next such time. */
function atClock(text: string, now: Date): Date | undefined {
  const match = clockPattern.exec(text);
  const time = match && clockOf(match.slice(1, 4));
  if (!match || !time) return undefined;
  // By calendar day, not by 24 hours: a day with a clock change is longer or shorter.
  for (const days of [-1, 0, 1, 2]) {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
    const day = { year: date.getFullYear(), month: date.getMonth(), day: date.getDate() };
    const at = inZone({ ...day, ...time }, match[4]);
    if (at && at.getTime() > now.getTime()) return at;
  }
  return undefined;
}

function clockOf([hour, minute, half]: (string | undefined)[]): { hour: number; minute: number } | undefined {
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const hours = Number(hour);
  const minutes = Number(minute ?? 0);
  if (hours > (half ? 12 : 23) || minutes > 59) return undefined;
  return { hour: half ? (hours % 12) + (half === "p" ? 12 : 0) : hours, minute: minutes };
}

interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

/** The instant at which clocks in a zone (default: ours) show this time. */
function inZone({ year, month, day, hour, minute }: WallTime, name: string | undefined): Date | undefined {
  if (name === undefined) return valid(new Date(year, month, day, hour, minute));
  const shown = Date.UTC(year, month, day, hour, minute);
  try {
    // Twice: the first guess may lie on the other side of a clock change.
    const guess = shown - offsetMs(shown, name);
    return valid(new Date(shown - offsetMs(guess, name)));
  } catch {
    return valid(new Date(year, month, day, hour, minute)); // no zone of that name
  }
}

/** How far clocks in a zone are ahead of UTC at an instant. */
function offsetMs(at: number, timeZone: string): number {
  const fields = {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  } as const;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...fields }).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute")) - at;
}

const valid = (date: Date): Date | undefined => (Number.isNaN(date.getTime()) ? undefined : date);

const unitsMs: Record<string, number> = { d: dayMs, h: hourMs, m: minuteMs, s: 1000, ms: 1 };

/** `reset after 1h30m5s`, `try again in 2 hours 5 minutes`. */
function afterDuration(text: string, now: Date): Date | undefined {
  const start = /(?:resets? (?:after|in)|(?:try again|retry) (?:after|in)):? +/.exec(text);
  if (!start) return undefined;
  const rest = text.slice(start.index + start[0].length, start.index + start[0].length + 80);
  const part =
    /^[\s,]*(?:and )?(\d{1,9}(?:\.\d+)?) ?(ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])/;
  let totalMs: number | undefined;
  for (let left = rest.replace(/([a-z])(?=\d)/g, "$1 "); ; ) {
    const match = part.exec(left);
    if (!match) return totalMs === undefined ? undefined : valid(new Date(now.getTime() + totalMs));
    const unit = match[2] === "ms" ? "ms" : (match[2] as string)[0];
    totalMs = (totalMs ?? 0) + Number(match[1]) * (unitsMs[unit as string] ?? 0);
    left = left.slice(match[0].length);
  }
}

/** Older Claude Code: `limit reached|1760000400`. */
function epoch(text: string): Date | undefined {
  const match = /limit reached\|(\d{10})\b/.exec(text);
  return match ? new Date(Number(match[1]) * 1000) : undefined;
}
