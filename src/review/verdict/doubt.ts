import type { Severity } from "../../store/schema.ts";
import { taggedLevels } from "./label.ts";
import { reviewLines } from "./line.ts";
import { reachesFloor, tryParseSeverity } from "./severity.ts";

export interface Doubt {
  cause: "contradiction" | "unable";
  /** One line. */
  reason: string;
}

/**
 * What speaks against a review that passes, by whatever it passes: `prose` is the review without the block that
 * decided, `summary` that block's own. It may be a mistake: then the reviewer is asked once more, which costs little
 * beside a pass of what nobody read.
 */
export function doubtOf(prose: string, summary: string | undefined, floor?: Severity): Doubt | undefined {
  const lines = reviewLines(prose).filter(({ text }) => text !== "");
  if (quotedKey.test(prose) && failsElsewhere(lines.map(({ text }) => withoutCode(text)).join("\n"), floor))
    return contradiction("another verdict block in the review does not pass");
  for (const { text } of [...lines.filter(({ fenced }) => !fenced), { text: summary ?? "" }]) {
    const own = withoutCode(text);
    if (taggedLevels(own).some((level) => reachesFloor(level, floor)))
      return contradiction("the text of the review rates a finding, and its verdict passes");
    const unread = own.split(sentenceEnd).find((sentence) => saysUnread(sentence, summary === undefined));
    if (unread !== undefined)
      return {
        cause: "unable",
        reason: `the reviewer passes what it says it could not read: ${unread.trim().slice(0, 200)}`,
      };
  }
  return undefined;
}

const quotedKey = /"(?:verdict|severity)"/i;
const sentenceEnd = /(?<=[.!?])\s+/;

const contradiction = (reason: string): Doubt => ({ cause: "contradiction", reason });

/**
 * The rest of a block that does not pass, whole or cut off, quoted or not: a pass behind it may be quoted from the
 * change, and a pass line before or behind it may be about something else.
 */
function failsElsewhere(text: string, floor: Severity | undefined): boolean {
  if (/[{,]\s*"verdict"\s*:\s*"(?!pass")/i.test(text)) return true;
  return [...text.matchAll(/[{,]\s*"severity"\s*:\s*"(\w{1,16})"/gi)].some(([, word = ""]) => {
    const level = tryParseSeverity(word);
    return level !== undefined && reachesFloor(level, floor);
  });
}

/** Inline code names things of the change; the reviewer says nothing with it. */
const withoutCode = (line: string): string => line.replace(/`[^`]*`/g, "`code`");

const not = `(?:unable to|not able to|could not|couldn['’]t|cannot|can['’]t|failed to)`;
const read = "(?:read|open|access|inspect|retrieve|load|review|fetch)";
const given = String.raw`(?:(?:the|this|your|its|any|all|of|whole|full|actual|entire)\s+){0,4}`;
const change = "(?:diff|patch|change|changes|change ?set|commit|snapshot)";
const beUnread =
  "(?:could not|couldn['’]t|cannot|can['’]t) be (?:read|opened|accessed|inspected|retrieved|loaded|reviewed|fetched)";
const beMissing =
  "(?:was|were|is|are)(?: not|n['’]t) (?:provided|given|accessible|readable|available|included)";

const unread = [
  new RegExp(
    String.raw`(?:^|\b(?:I|we)\s+(?:(?:was|were|am|are)\s+)?)${not}\s+${read}\s+${given}${change}\b`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:the|this)\s+(?:\w+\s+)?(?:diff|patch|snapshot)(?:['’]s)?(?:\s+file)?\s+(?:${beUnread}|${beMissing})`,
    "i",
  ),
  new RegExp(String.raw`\b(?:the|this)\s+(?:commit|changes?)\s+${beUnread}`, "i"),
  /\bno (?:diff|patch) (?:was|is) (?:provided|given|available|included|attached|supplied)/i,
  /\bplease (?:provide|paste|share|send|attach)\b.{0,24}\b(?:diff|patch|commit|changes?)\b/i,
];

// Of a single file a block could say so in its own verdict; prose has no other way.
const unreadFile = new RegExp(
  String.raw`\b(?:I|we)\s+(?:(?:was|were|am|are)\s+)?${not}\s+${read}\s+${given}(?:files?\b|\S*[\w-]\.\w{1,8}\b|${"`code`"})`,
  "i",
);

function saysUnread(sentence: string, isProse: boolean): boolean {
  return unread.some((pattern) => pattern.test(sentence)) || (isProse && unreadFile.test(sentence));
}
