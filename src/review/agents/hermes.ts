import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { hermesStream } from "./stream/hermes.ts";

/**
 * From its documentation, not measured. It takes hooks, MCP servers and settings from the user's home only; rules and
 * memory can be left out, but the whole of `--safe-mode` would also drop the provider. Reading comes in one set with
 * writing, so the one place where its file tools may write is the cell.
 */
const isolation: Isolation = {
  documentation: [
    "https://hermes-agent.nousresearch.com/docs/reference/cli-commands",
    "https://hermes-agent.nousresearch.com/docs/user-guide/security",
  ],
  switches: ["--ignore-rules", "--toolsets", "file"],
  cell: () => ({}),
};

/** It has no levels of reasoning on its command line, and its conversations return to the directory they began in. */
export const hermes: Reviewer = {
  name: "hermes",
  aliases: [],
  command: "hermes",
  help: ["chat", "--help"],
  requiredFlags: ["--quiet", "--query-file", "--ignore-rules", "--toolsets"],
  fixFlags: ["--quiet", "--query-file", "--yolo"],
  isolation,
  argv: (task) => [
    ...["chat", "--quiet", "--query-file", "-", "--source", "tool"],
    ...(task.agentic ? ["--yolo", ...resumable(task.sessionId, "--resume")] : isolation.switches),
    ...checkedModel(task.model, "--model"),
  ],
  environment: (env, { agentic, cell }) =>
    agentic || cell === undefined ? { ...env } : { ...env, HERMES_WRITE_SAFE_ROOT: cell },
  createParser: hermesStream,
};
