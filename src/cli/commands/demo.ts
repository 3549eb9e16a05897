import { elapsedText } from "../../lib/job-text.ts";
import { define } from "../command.ts";
import { setStage } from "../demo/stage.ts";
import { tellStory } from "../demo/story.ts";

export const demo = define({
  meta: {
    name: "demo",
    description:
      "See the whole loop in half a minute: commits, reviews, the reminder in the agent's session, the fix. Everything happens in a temporary directory and is removed at the end.",
  },
  args: {},
  json: false,
  tidiesUp: true,
  examples: ["roborev demo"],
  async run(context) {
    const { out } = context;
    const startedAt = performance.now();
    const stage = await setStage(context);
    try {
      out.print(`roborev demo, in ${stage.root}`);
      await tellStory(stage, out);
    } finally {
      await stage.clear();
    }
    const seconds = elapsedText(performance.now() - startedAt);
    out.print(`\nDone in ${seconds}, everything is removed. In a repository of yours: roborev init`);
    return 0;
  },
});
