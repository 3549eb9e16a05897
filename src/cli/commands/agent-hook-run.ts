import { hookDefaults } from "../../config/defaults.ts";
import { RoborevError } from "../../lib/errors.ts";
import { define } from "../command.ts";

/** Only the help: main.ts answers every other `agent-hook run` itself, without loading any of this. */
export const agentHookRun = define({
  meta: {
    name: "run",
    description:
      "Answer one hook call of a coding agent: its payload on standard input, one JSON object on standard output.",
  },
  args: {
    agent: { type: "string", valueHint: "name", description: "Coding agent that calls (required)" },
    config: { type: "string", valueHint: "path", description: "Other file for thresholds and instruction" },
    "turn-threshold": {
      type: "string",
      valueHint: "n",
      description: `Turns between reminders (default ${hookDefaults.turn_threshold}, 0 is off)`,
    },
    "commit-threshold": {
      type: "string",
      valueHint: "n",
      description: `Commits between reminders (default ${hookDefaults.commit_threshold}, 0 is off)`,
    },
    "failed-review-threshold": {
      type: "string",
      valueHint: "n",
      description: `New failed reviews that cause a reminder (default ${hookDefaults.failed_review_threshold}, 0 is off)`,
    },
    instruction: { type: "string", valueHint: "text", description: "What to ask the agent to do" },
    "roborev-server": { type: "string", valueHint: "address", description: "Daemon, as unix:///path" },
    source: { type: "string", description: "Marks a registration as ours" },
  },
  hiddenFlags: ["source"],
  json: false,
  details: `It never starts a daemon and never holds up a session: whatever goes wrong, the answer is the empty one,
    with a line on standard error.`,
  exitCodes: { 0: "answered", 1: "the payload or a flag is malformed" },
  examples: ["roborev agent-hook run --agent claude < payload.json"],
  async run() {
    throw new RoborevError("this call did not take the way of a hook", { code: "E_INTERNAL" });
  },
});
