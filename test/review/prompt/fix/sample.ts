import type { FixEntry } from "../../../../src/review/prompt/fix/entry.ts";
import type { FixPromptInput } from "../../../../src/review/prompt/fix/fix-prompt.ts";

export const sha = (digit: string): string => digit.repeat(40);

const sampleEntry: FixEntry = {
  jobId: 7,
  kind: "review",
  gitRef: sha("a"),
  subject: "Sum the cart",
  output: "## Review Findings\n\n- **Severity**: High\n- **Problem**: an empty cart divides by zero",
  findings: [
    {
      number: 1,
      severity: "high",
      location: "src/cart.ts:12",
      problem: "An empty cart divides by zero.\nEvery visitor sees it.",
      fix: "Return 0 for an empty cart.",
    },
    { number: 2, severity: "low", location: "src/cart.ts:3", problem: "The name is misleading." },
  ],
  comments: [
    { responder: "roborev-fix", response: "Changed nothing: the tests did not run." },
    { responder: "dev", response: "The name stays as it is." },
  ],
};

export const entry = (more: Partial<FixEntry> = {}): FixEntry => ({ ...sampleEntry, ...more });

export const plain = (more: Partial<FixEntry> = {}): FixEntry =>
  entry({ subject: "Count once", output: "Counts twice.", comments: [], ...more });

export const input = (more: Partial<FixPromptInput> = {}): FixPromptInput => ({
  untracked: [],
  maxBytes: 200_000,
  nonce: "0a1b2c3d",
  ...more,
});
