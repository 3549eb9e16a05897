import { define } from "../command.ts";
import { liveKinds } from "../completion/sources.ts";
import { liveValues } from "../completion/values.ts";

export const completionValues = define({
  meta: {
    name: "completion-values",
    description: "Print what can be typed for an argument. Shells call it while somebody presses Tab.",
  },
  args: {
    kind: { type: "positional", description: `One of ${liveKinds.join(", ")}` },
  },
  silent: true,
  json: false,
  details:
    "One line for each value, behind a tab what it is. Without a daemon there are none; it starts none.",
  examples: ["roborev completion-values job"],
  async run(context) {
    const kind = liveKinds.find((name) => name === context.args.kind);
    const values = kind === undefined ? [] : await liveValues(kind, context);
    if (values.length > 0)
      context.out.print(
        values.map(({ name, about }) => (about === "" ? name : `${name}\t${about}`)).join("\n"),
      );
    return 0;
  },
});
