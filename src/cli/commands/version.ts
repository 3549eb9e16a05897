import { version } from "../../lib/version.ts";
import { define } from "../command.ts";

const tag = version.startsWith("v") ? version : `v${version}`;

/** What `--version` prints. */
export const versionText = (): string => `roborev ${tag}`;

export const versionCommand = define({
  meta: { name: "version", description: "Print the version of this program." },
  args: {},
  examples: ["roborev version", "roborev version --json"],
  async run({ flags, out }) {
    if (flags.json) out.json({ name: "roborev", version: tag });
    else out.print(versionText());
    return 0;
  },
});
