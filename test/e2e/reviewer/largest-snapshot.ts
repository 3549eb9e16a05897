import { type Snapshot, type SnapshotReading, tryPlanSnapshot } from "../../../src/review/prompt/snapshot.ts";
import type { Section } from "../turn.ts";

/** A file as large as a reviewer is ever given one, with lines as long as it may have, and the sections to read it in. */
export function largestSnapshot(reading: SnapshotReading): {
  file: Snapshot;
  lines: string[];
  sections: Section[];
} {
  const wide = "w".repeat(reading.maxLineLength - 20);
  const lines: string[] = [];
  const maxBytes = reading.maxBytes - 2 * reading.maxLineLength;
  for (let bytes = 0; bytes < maxBytes; bytes += (lines.at(-1)?.length ?? 0) + 1)
    lines.push(`+line ${lines.length} ${lines.length % 50 === 0 ? wide : "some words of code"};`);
  const diff = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,${lines.length} @@\n${lines.join("\n")}\n`;
  const file = tryPlanSnapshot(diff, reading, crypto.randomUUID());
  if (!file) throw new Error("the file is too large");
  const ends = file.text
    .split("\n")
    .flatMap((line, index) => (line.startsWith("\\ roborev mark") ? [index + 1] : []));
  const sections = ends.map((end, index) => {
    const from = (ends[index - 1] ?? 0) + 1;
    return { from, lines: end - from + 1 };
  });
  return { file, lines, sections };
}
