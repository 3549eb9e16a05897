import type { ToolCalls } from "./wire/play.ts";

/** A program that this directory can drive against the model on loopback, with no login of any vendor. */
export interface Program {
  /** Variable that says where the program is. */
  variable: string;
  calls: ToolCalls;
  /** The model to ask for, where the user's settings do not say. */
  model?: string;
  env(port: number): Record<string, string>;
  /** How a user would run it without our switches: the trap must spring then, or its silence means nothing. */
  control: string[];
  /** Tools that a review may be offered. */
  reads: RegExp;
  /** Whether a file outside of the checkout cannot be read. */
  confined: boolean;
  /** Whether a conversation can be continued by a later review. */
  resumes: boolean;
  /** What it reports for an answer without text. */
  noText: string;
  /** Nothing keeps instructions or skills that lie beside a file from being shown to the model when it reads that file. */
  showsInstructions?: boolean;
}

const call = (name: string, input: Record<string, unknown>) => ({ name, input });

/** Codex names its shell tool by model family; the request tells which one it has. */
function codexShell(command: string, offered: string[]) {
  if (offered.includes("exec_command")) return call("exec_command", { cmd: command });
  if (offered.includes("shell_command")) return call("shell_command", { command });
  return call("shell", { command: ["bash", "-lc", command] });
}

const geminiCalls: ToolCalls = {
  read: (path) => call("read_file", { file_path: path }),
  shell: (command) => call("run_shell_command", { command, description: "stub", is_background: false }),
  write: (path) => call("write_file", { file_path: path, content: "evil" }),
};

export const programs: Record<string, Program> = {
  "claude-code": {
    variable: "CLAUDE_BIN",
    calls: {
      read: (path) => call("Read", { file_path: path }),
      readSection: (path, { from, lines }) => call("Read", { file_path: path, offset: from, limit: lines }),
      shell: (command) => call("Bash", { command, description: "stub" }),
      write: (path) => call("Write", { file_path: path, content: "evil" }),
    },
    // IS_SANDBOX: as root it refuses to run fixes.
    env: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", IS_SANDBOX: "1" }),
    control: ["-p", "--output-format", "json", "hello"],
    reads: /^(Read|Glob|Grep|DeferredToolPlaceholder)$/,
    confined: true,
    resumes: true,
    noText: "empty",
  },
  codex: {
    variable: "CODEX_BIN",
    calls: {
      read: (path, offered) => codexShell(`cat '${path}'`, offered),
      readSection: (path, { from, lines }, offered) =>
        codexShell(`sed -n '${from},${from + lines - 1}p' '${path}'`, offered),
      shell: codexShell,
      write: (path) =>
        call("apply_patch", { input: `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch` }),
    },
    env: () => ({ STUB_API_KEY: "key-of-the-user" }),
    control: ["exec", "--json", "--dangerously-bypass-hook-trust", "hello"],
    reads: /^(?!.*(mcp|web_search|spawn_agent))/,
    confined: false,
    resumes: true,
    noText: "empty",
  },
  gemini: {
    variable: "GEMINI_BIN",
    calls: geminiCalls,
    env: (port) => ({ GEMINI_API_KEY: "stub", GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` }),
    control: ["--output-format", "stream-json", "--approval-mode", "yolo", "-p", "hello"],
    reads: /^(read_file|list_directory|grep_search|glob)$/,
    confined: true,
    resumes: false,
    noText: "exit",
    showsInstructions: true,
  },
  qwen: {
    variable: "QWEN_BIN",
    calls: geminiCalls,
    env: () => ({}),
    control: ["--output-format", "stream-json", "--approval-mode", "yolo", "-p", "hello"],
    reads:
      /^(read_file|read_mcp_resource|zoom_image|grep_search|glob|list_directory|list_agents|get_goal|update_goal|report_findings|cron_list)$/,
    confined: true,
    resumes: false,
    noText: "exit",
  },
  copilot: {
    variable: "COPILOT_BIN",
    calls: {
      read: (path) => call("view", { path }),
      shell: (command) => call("bash", { command, description: "stub" }),
      write: (path) => call("create", { path, file_text: "evil" }),
    },
    env: (port) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_MODEL: "stub-model",
      COPILOT_PROVIDER_API_KEY: "stub",
      COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
    }),
    control: ["-p", "hello", "--allow-all", "--output-format", "json"],
    reads: /^(view|grep|glob)$/,
    confined: false,
    resumes: false,
    noText: "exit",
  },
  opencode: {
    variable: "OPENCODE_BIN",
    calls: {
      read: (path) => call("read", { filePath: path }),
      shell: (command) => call("bash", { command, description: "stub" }),
      write: (path) => call("write", { filePath: path, content: "evil" }),
    },
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    control: ["run", "--format", "json", "hello"],
    reads: /^(read|grep|glob|list)$/,
    confined: true,
    resumes: false,
    noText: "empty",
  },
  droid: {
    variable: "DROID_BIN",
    calls: {
      read: (path) => call("Read", { file_path: path }),
      shell: (command) =>
        call("Execute", { command, summary: "stub", riskLevel: "low", riskLevelReason: "stub" }),
      write: (path) => call("Create", { file_path: path, content: "evil" }),
    },
    model: "custom:stub-model",
    env: () => ({}),
    control: ["exec", "--auto", "medium", "-m", "custom:stub-model", "hello"],
    reads: /^(Read|LS|Grep|Glob)$/,
    confined: false,
    resumes: false,
    noText: "empty",
    showsInstructions: true,
  },
  grok: {
    variable: "GROK_BIN",
    calls: {
      read: (path) => call("read_file", { target_file: path }),
      shell: (command) => call("run_terminal_command", { command, description: "stub" }),
      write: (path) => call("search_replace", { file_path: path, old_string: "", new_string: "evil" }),
    },
    env: () => ({ XAI_API_KEY: "stub", GROK_TELEMETRY_ENABLED: "0", GROK_DISABLE_AUTOUPDATER: "1" }),
    control: ["-p", "hello", "--trust", "--yolo", "--no-auto-update", "--output-format", "json"],
    reads: /^(read_file|list_dir|grep)$/,
    confined: false,
    resumes: true,
    noText: "empty",
    showsInstructions: true,
  },
};
