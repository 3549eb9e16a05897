import type { SnapshotReading } from "../prompt/snapshot.ts";

/**
 * Reviewers that read a file in their working directory under the switches that we give them. Each was seen to send
 * its model every line of one (test/e2e/reviewer); all others get a large diff in several prompts. Claude Code cuts
 * lines at 2,000 characters; half a megabyte leaves room in a context window of 200,000 tokens.
 */
export const snapshotReading: Readonly<Record<string, SnapshotReading>> = {
  "claude-code": { maxBytes: 512 * 1024, maxLineLength: 1_500 },
  codex: { maxBytes: 512 * 1024, maxLineLength: 1_500 },
};
