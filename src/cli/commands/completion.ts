import { UsageError } from "../../lib/errors.ts";
import { typed } from "../arguments.ts";
import { define } from "../command.ts";
import { completionPlan } from "../completion/plan.ts";
import { completionScript } from "../completion/scripts.ts";
import { shells } from "../completion/sources.ts";
import { nearest } from "../nearest.ts";

export const completion = define({
  meta: {
    name: "completion",
    description: "Print what completes commands, flags and values in a shell: bash, zsh or fish.",
  },
  args: { shell: { type: "positional", description: "bash, zsh or fish" } },
  json: false,
  details: `In ~/.bashrc, for bash:

    eval "$(roborev completion bash)"

    In ~/.zshrc, behind compinit, for zsh:

    eval "$(roborev completion zsh)"

    In ~/.config/fish/config.fish, for fish:

    roborev completion fish | source

    Commands and flags are those of this version. Numbers of jobs, sessions and repositories come from the daemon while
    it runs, branches from git. A name that a shell would have to quote is not offered.`,
  examples: ["roborev completion bash", "roborev completion zsh", "roborev completion fish"],
  async run({ args, out }) {
    const shell = shells.find((name) => name === args.shell);
    if (shell === undefined) {
      const near = nearest(args.shell, shells);
      throw new UsageError(`there is no completion for ${typed(args.shell) || '""'}`, {
        hint: `${near ? `Did you mean ${near}? ` : ""}Use one of: ${shells.join(", ")}.`,
      });
    }
    const { root } = await import("../tree.ts");
    out.print(completionScript(shell, await completionPlan(root)).trimEnd());
    return 0;
  },
});
