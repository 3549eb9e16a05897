import { define } from "../command.ts";
import { nextSteps } from "../quickstart/steps.ts";
import { survey } from "../quickstart/survey.ts";
import { quickstartText } from "../quickstart/text.ts";

export const quickstart = define({
  meta: {
    name: "quickstart",
    description: "Show what is set up here and what to run next, for a person or a coding agent.",
  },
  args: {},
  details:
    "It reads and asks, within a second: nothing is started or changed. It works outside of a repository as well.",
  examples: ["roborev quickstart", "roborev quickstart --json"],
  async run(context) {
    const { flags, out } = context;
    const found = await survey(context);
    const steps = nextSteps(found);
    if (flags.json) out.json({ ...found, next_steps: steps });
    else out.print(quickstartText(found, steps, out));
    return 0;
  },
});
