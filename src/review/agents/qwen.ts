import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { claudeStream } from "./stream/claude.ts";

/** All that writes, runs, fetches or delegates; `--core-tools` has no effect in safe mode. */
const otherTools = [
  ...["run_shell_command", "write_file", "edit", "notebook_edit", "web_fetch", "web_search", "monitor"],
  ...["agent", "skill", "tool_call", "tool_search", "task_stop", "send_message", "save_memory"],
  ...["enter_worktree", "exit_worktree", "record_artifact", "cron_create", "cron_delete", "loop_wakeup"],
];

/**
 * Measured with 0.24.4: safe mode leaves out hooks, MCP servers, skills, extensions and context files of the user and
 * the project. It still writes a version number into the project's settings, so the program works in a cell.
 */
const isolation: Isolation = {
  documentation: ["https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings/"],
  switches: ["--safe-mode", "--exclude-tools", otherTools.join(",")],
  cell: () => ({}),
};

/** It has no levels of reasoning; a conversation belongs to the directory that it began in. */
export const qwen: Reviewer = {
  name: "qwen",
  aliases: [],
  command: "qwen",
  help: ["--help"],
  requiredFlags: [
    "--output-format",
    "--approval-mode",
    "--safe-mode",
    "--include-directories",
    "--exclude-tools",
  ],
  fixFlags: ["--output-format", "--approval-mode"],
  isolation,
  argv: (task) => [
    ...["--output-format", "stream-json"],
    ...(task.agentic
      ? ["--approval-mode", "yolo", ...resumable(task.sessionId, "--resume")]
      : ["--approval-mode", "plan", "--include-directories", task.cwd, ...isolation.switches]),
    ...checkedModel(task.model, "--model"),
  ],
  environment: (env) => ({ ...env }),
  createParser: (listener) => claudeStream({ inputIncludesCached: true }, listener),
};
