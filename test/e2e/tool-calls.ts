import type { ToolCalls } from "./turn.ts";
import type { Call } from "./wire/play.ts";
import { type Body, groupOf, toolNames } from "./wire/request.ts";

const call = (name: string, input: Record<string, unknown>): Call => ({ name, input });

/** Codex names its shell tool by model family; the request tells which one it has. */
function codexShell(command: string, offered: string[]): Call {
  if (offered.includes("exec_command")) return call("exec_command", { cmd: command });
  if (offered.includes("shell_command")) return call("shell_command", { command });
  return call("shell", { command: ["bash", "-lc", command] });
}

const codexResults = (body: Body): string =>
  JSON.stringify(
    (Array.isArray(body.input) ? body.input : []).filter(
      (item: { type?: string }) => item.type === "function_call_output",
    ),
  );

/** A tool of a group is called with the group's name. */
function grouped(body: Body, name: string, input: Record<string, unknown>): Call {
  const group = groupOf(body, name);
  return { name, input, ...(group === undefined ? {} : { group }) };
}

const geminiCalls = {
  read: (path) => call("read_file", { file_path: path }),
  shell: (command) => call("run_shell_command", { command, description: "scripted", is_background: false }),
  write: (path) => call("write_file", { file_path: path, content: "evil" }),
  skill: (name) => call("activate_skill", { name }),
} satisfies ToolCalls;

/** By program: how its model spells what a script asks for. */
export const toolCalls = {
  claude: {
    read: (path) => call("Read", { file_path: path }),
    readSection: (path, { from, lines }) => call("Read", { file_path: path, offset: from, limit: lines }),
    shell: (command) => call("Bash", { command, description: "scripted" }),
    write: (path) => call("Write", { file_path: path, content: "evil" }),
    skill: (skill) => call("Skill", { skill }),
    subagent: (prompt, body) =>
      call(toolNames(body).includes("Agent") ? "Agent" : "Task", {
        description: "scripted",
        prompt,
        subagent_type: "general-purpose",
      }),
  },
  codex: {
    read: (path, offered) => codexShell(`cat '${path}'`, offered),
    readSection: (path, { from, lines }, offered) =>
      codexShell(`sed -n '${from},${from + lines - 1}p' '${path}'`, offered),
    shell: codexShell,
    write: (path) =>
      call("apply_patch", { input: `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch` }),
    subagent: (prompt, body) => grouped(body, "spawn_agent", { message: prompt }),
    waitAgent: (body) => {
      const agent = codexResults(body)
        .match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)
        ?.at(-1);
      const name = toolNames(body).includes("wait_agent") ? "wait_agent" : "wait";
      return grouped(body, name, { targets: agent ? [agent] : [], timeout_ms: 20_000 });
    },
    readOn: (body) => {
      const session = Number(/session ID (\d+)/.exec(codexResults(body))?.[1] ?? 0);
      return call("write_stdin", { session_id: session, chars: "", yield_time_ms: 10_000 });
    },
  },
  gemini: geminiCalls,
  qwen: { ...geminiCalls, skill: (skill) => call("skill", { skill }) },
  copilot: {
    read: (path) => call("view", { path }),
    shell: (command) => call("bash", { command, description: "scripted" }),
    write: (path) => call("create", { path, file_text: "evil" }),
  },
  opencode: {
    read: (path) => call("read", { filePath: path }),
    shell: (command) => call("bash", { command, description: "scripted" }),
    write: (path) => call("write", { filePath: path, content: "evil" }),
  },
  droid: {
    read: (path) => call("Read", { file_path: path }),
    shell: (command) =>
      call("Execute", { command, summary: "scripted", riskLevel: "low", riskLevelReason: "scripted" }),
    write: (path) => call("Create", { file_path: path, content: "evil" }),
  },
  grok: {
    read: (path) => call("read_file", { target_file: path }),
    shell: (command) => call("run_terminal_command", { command, description: "scripted" }),
    write: (path) => call("search_replace", { file_path: path, old_string: "", new_string: "evil" }),
  },
} satisfies Record<string, ToolCalls>;
