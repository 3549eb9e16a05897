import { define } from "../command.ts";

export const testReviewer = define({
  meta: {
    name: "test-reviewer",
    description:
      "Review the prompt on standard input by looking for added lines with `BUG:`. For demonstrations and tests.",
  },
  args: {},
  json: false,
  examples: ["roborev test-reviewer < prompt.txt"],
  async run({ stdin, out }) {
    const { runTestReviewer, testReviewerDelayMs } = await import("../../review/agents/test-reviewer.ts");
    const { extractDiffs } = await import("../../review/prompt/boundary.ts");
    const prompt = await stdin.text();
    await Bun.sleep(testReviewerDelayMs(prompt, extractDiffs));
    out.print(runTestReviewer(prompt, extractDiffs));
    return 0;
  },
});
