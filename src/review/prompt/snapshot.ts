import { createHash } from "node:crypto";
import { byteLength } from "./bytes.ts";
import { diffFileText, parseDiff } from "./diff-file.ts";
import { diffParts } from "./diff-parts.ts";

/** What a reviewer reads of a file by itself: as data beside the reviewer, proved on the real program. */
export interface SnapshotReading {
  maxBytes: number;
  /** Longer lines reach it cut. */
  maxLineLength: number;
  /** What reaches it whole in one go; of more it may lose the middle without a word. */
  sectionBytes: number;
}

/** A diff as a file beside the checkout under review, with marks that only its reader can know. */
export interface Snapshot {
  /** In the reviewer's working directory; no name that a commit could have taken. */
  fileName: string;
  text: string;
  /** In order; each ends a section. */
  marks: string[];
}

/**
 * The diff as a file for this reviewer; undefined when it would not get to see all of it. `secret` is fresh and stands
 * in no prompt, so that an answer which names the marks comes from somebody who read to the last line.
 */
export function tryPlanSnapshot(
  diff: string,
  reading: SnapshotReading,
  secret: string,
): Snapshot | undefined {
  if (byteLength(diff) > reading.maxBytes) return undefined;
  const lines = diff.split("\n");
  if (lines.some((line) => line.length > reading.maxLineLength)) return undefined;
  const word = (about: string) =>
    createHash("sha256").update(`${secret}\0${about}`).digest("hex").slice(0, 12);
  const sections = inSections(lines, reading.sectionBytes);
  const marks = sections.map((_, index) => word(`mark ${index}`));
  const text = sections
    .map(
      (section, index) => `${section}\\ roborev mark ${index + 1} of ${sections.length}: ${marks[index]}\n`,
    )
    .join("");
  return { fileName: `.roborev-${word("name")}.diff`, text, marks };
}

/** Whole lines, together everything, each section ending with a newline. */
function inSections(lines: string[], sectionBytes: number): string[] {
  if (lines.at(-1) === "") lines.pop();
  const sections: string[] = [];
  let section = "";
  let bytes = 0;
  for (const line of lines) {
    const size = byteLength(line) + 1;
    if (bytes > 0 && bytes + size > sectionBytes) {
      sections.push(section);
      section = "";
      bytes = 0;
    }
    section += `${line}\n`;
    bytes += size;
  }
  sections.push(section);
  return sections;
}

/** Header and first hunk of every file, or as much of it as its share of the room allows. */
export function firstHunks(diff: string, maxBytes: number): string {
  const files = parseDiff(diff);
  let room = maxBytes;
  const shown: string[] = [];
  for (const [index, file] of files.entries()) {
    // What earlier files left over is shared by the later ones.
    const share = Math.floor(room / (files.length - index));
    const text = diffFileText({ header: file.header, hunks: file.hunks.slice(0, 1) });
    const part = byteLength(text) <= share ? text : diffParts(text, share)?.[0];
    if (part === undefined || byteLength(part) > share) continue;
    shown.push(part);
    room -= byteLength(part);
  }
  return shown.join("");
}
