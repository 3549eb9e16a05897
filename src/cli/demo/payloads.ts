const sessionId = "d3301e55-0000-4000-8000-000000000001";

// What Claude Code 2.1 sends to a hook, field by field: https://code.claude.com/docs/en/hooks
const common = (repo: string, turn: number) => ({
  session_id: sessionId,
  transcript_path: `${repo}/../home/.claude/projects/demo/${sessionId}.jsonl`,
  cwd: repo,
  prompt_id: `00000000-0000-4000-8000-00000000000${turn}`,
  permission_mode: "default",
  effort: { level: "medium" },
});

const tool = (command: string, description: string) => ({
  tool_name: "Bash",
  tool_input: { command, description },
  tool_use_id: `toolu_demo_${Bun.hash(command).toString(16)}`,
});

/** Before the agent's shell runs a command. */
export const preToolUse = (repo: string, turn: number, command: string) => ({
  ...common(repo, turn),
  hook_event_name: "PreToolUse",
  ...tool(command, "demo"),
});

/** After it. */
export const postToolUse = (repo: string, turn: number, command: string, stdout: string) => ({
  ...common(repo, turn),
  hook_event_name: "PostToolUse",
  ...tool(command, "demo"),
  tool_response: { stdout, stderr: "", interrupted: false, isImage: false, noOutputExpected: false },
  duration_ms: 30,
});

/** When the agent wants to end its turn. */
export const stop = (repo: string, turn: number) => ({
  ...common(repo, turn),
  hook_event_name: "Stop",
  stop_hook_active: false,
  last_assistant_message: "Done.",
  background_tasks: [],
  session_crons: [],
});
