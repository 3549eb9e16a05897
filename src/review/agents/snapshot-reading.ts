import type { SnapshotReading } from "../prompt/snapshot.ts";

/**
 * Reviewers that read a file in their working directory under the switches that we give them. Each was seen to send
 * its model every line of one, section by section (test/e2e/reviewer); all others get a large diff in several prompts.
 * Claude Code cuts lines at 2,000 characters and refuses more than 25,000 tokens at a time; Codex keeps the first and
 * last of 10,000 bytes for a model that it does not know. The whole has to fit into a context window beside the rest.
 */
export const snapshotReading: Readonly<Record<string, SnapshotReading>> = {
  "claude-code": { maxBytes: 512 * 1024, maxLineLength: 1_500, sectionBytes: 24 * 1024 },
  codex: { maxBytes: 320 * 1024, maxLineLength: 1_500, sectionBytes: 8 * 1024 },
};
