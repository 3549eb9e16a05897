import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { claudeStream } from "./stream/claude.ts";

/** What a project may allow and deny itself (https://cursor.com/docs/cli/reference/permissions). */
const permissions = { allow: ["Read(**)"], deny: ["Write(**)", "Shell(**)", "WebFetch(**)", "Mcp(*:*)"] };

/**
 * From its documentation, not measured: no public build runs without a login. Plan mode is read-only; headless runs
 * need a trusted workspace, and trust brings in a project's hooks, MCP servers and rules. So the workspace is a cell,
 * and MCP servers are not approved.
 */
const isolation: Isolation = {
  documentation: [
    "https://cursor.com/docs/cli/reference/parameters",
    "https://cursor.com/docs/cli/reference/permissions",
  ],
  switches: ["--mode", "plan", "--trust"],
  cell: () => ({ ".cursor/cli.json": JSON.stringify({ permissions }) }),
};

/** A conversation belongs to its workspace; how hard it thinks is part of a model's name. */
export const cursor: Reviewer = {
  name: "cursor",
  aliases: ["agent"],
  command: "cursor-agent",
  // Its present name, which Grok Build and others have too.
  sharedCommand: { name: "agent", pattern: /cursor/i },
  help: ["--help"],
  requiredFlags: ["--output-format", "--mode", "--trust"],
  fixFlags: ["--output-format", "--force"],
  isolation,
  argv: (task, { flags }) => [
    ...["-p", "--output-format", "stream-json"],
    ...(task.agentic
      ? ["--force", ...(flags.has("--trust") ? ["--trust"] : [])]
      : [...isolation.switches, ...(flags.has("--add-dir") ? ["--add-dir", task.cwd] : [])]),
    ...(task.model ? checkedModel(task.model, "--model") : ["--model", "auto"]),
    ...(task.agentic ? resumable(task.sessionId, "--resume") : []),
  ],
  environment: (env) => ({ ...env }),
  createParser: (listener) => claudeStream({ resultRepeatsAll: true }, listener),
};
