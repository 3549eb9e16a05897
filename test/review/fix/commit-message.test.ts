import { expect, test } from "bun:test";
import { commitMessage } from "../../../src/review/fix/commit-message.ts";

const message = (text: string) => commitMessage(7, { text, agentName: "codex" });

test("the message of a commit has the job in its subject, and at most ten lines of what the agent says", () => {
  const bullets = Array.from({ length: 20 }, (_, index) => `- change ${index + 1}`);
  expect(message(`Changes:\n\n${bullets.join("\n\n")}\nFINDING 1: FIXED - done`)).toBe(
    `Address review findings (job 7)\n\nChanges:\n${bullets.slice(0, 9).join("\n")}\n`,
  );
});

test("what accounts for findings, fences and control characters are no part of it; without words there is a line of ours", () => {
  expect(
    message("```\nMended\x1b[2J the cart\n```\n- **Finding 1**: REFUTED - no\nJOB 7 FINDING 2: FIXED - x"),
  ).toBe("Address review findings (job 7)\n\nMended[2J the cart\n");
  expect(message("FINDING 1: FIXED - done")).toBe("Address review findings (job 7)\n\nChanged by codex.\n");
});
