import { expect } from "bun:test";
import type { HookRequest, HookResponse } from "../../../src/daemon/api/hook-event.ts";
import { findHarness } from "../../../src/harness/registry.ts";
import type { HookOptions } from "../../../src/hook/args.ts";
import { hookRequest } from "../../../src/hook/request.ts";
import { recogniseCommit } from "../../../src/lib/shell-commit.ts";
import type { Session } from "../../../src/reminder/state.ts";
import type { Scene } from "./scene.ts";

export type Payload = Record<string, unknown>;

export interface ShellCall {
  cwd?: string;
  /** Id of the tool call. */
  id?: string;
  /** The command was sent to the background: its end is not known. */
  background?: boolean;
  /** The command ends with an error, and the harness has an event of its own for that. */
  failed?: boolean;
}

/** A session of a coding agent: its native payloads go through the decoder of its harness, as the hook sends them. */
export interface CodingAgent {
  /** The event before a command; nothing is sent for one that cannot commit. */
  before(command: string, call?: ShellCall): Promise<HookResponse | undefined>;
  after(command: string, call?: ShellCall): Promise<HookResponse>;
  /** A command in a real shell, with the events around it. */
  run(command: string, call?: ShellCall): Promise<HookResponse>;
  /** The end of a turn, with the means to send the agent back. */
  stop(more?: Payload): Promise<HookResponse>;
  send(payload: Payload): Promise<HookResponse>;
  /** The same events, as what the hook would ask of the daemon. */
  asks: {
    before(command: string, call?: ShellCall): HookRequest;
    after(command: string, call?: ShellCall): HookRequest;
    stop(more?: Payload): HookRequest;
  };
  /** What the daemon remembers of it. */
  state(): Promise<Session>;
}

interface Options extends Omit<HookOptions, "agent"> {
  agent?: "claude" | "codex" | "hermes" | "cursor" | "gemini";
  session?: string;
  cwd?: string;
}

export function codingAgent(s: Scene, options: Options = {}): CodingAgent {
  const { agent = "claude", session = "s1", cwd = s.repo.path, ...flags } = options;
  const speech =
    agent === "hermes" ? hermes : agent === "cursor" ? cursor : agent === "gemini" ? gemini : claude;
  const harness = findHarness(agent)!;
  const at = { session, cwd };

  const request = (payload: Payload): HookRequest => {
    const decoded = harness.decode({ ...speech.common(at), ...payload });
    if (decoded.kind !== "event") throw new Error(`${agent} payload: ${decoded.kind}`);
    const { event } = decoded;
    const commit = event.command === undefined ? undefined : recogniseCommit(event.command);
    const place = { env: { HOME: process.env.HOME }, cwd: () => "/" };
    return hookRequest(event, commit, { agent, ...flags }, place, flags.server);
  };
  const asks: CodingAgent["asks"] = {
    before: (command, call = {}) => request(speech.shell("before", command, call)),
    after: (command, call = {}) => request(speech.shell("after", command, call)),
    stop: (more = {}) => request({ ...speech.stop, ...more }),
  };
  const post = async (asked: HookRequest): Promise<HookResponse> => {
    const answer = await s.daemon.post("/api/agent-hook/event", asked);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const before = async (command: string, call?: ShellCall) =>
    recogniseCommit(command) === undefined ? undefined : post(asks.before(command, call));
  const after = (command: string, call?: ShellCall) => post(asks.after(command, call));
  return {
    asks,
    send: (payload) => post(request(payload)),
    stop: (more) => post(asks.stop(more)),
    before,
    after,
    async run(command, call = {}) {
      await before(command, call);
      shell(call.cwd ?? cwd, command, call.failed);
      return after(command, call);
    },
    state: async () => (await s.sessions())[`${agent}:${session}`] as Session,
  };
}

/** Runs text in a real shell; throws when it ends with an error, or does not where it should. */
export function shell(cwd: string, text: string, fails = false): string {
  const run = Bun.spawnSync(["sh", "-c", text], { cwd, env: process.env, stdout: "pipe", stderr: "pipe" });
  if ((run.exitCode !== 0) !== fails) throw new Error(`${text}: ${run.exitCode} ${run.stderr}`);
  return run.stdout.toString().trim();
}

/** How a harness says what happens. */
interface Speech {
  common(at: { session: string; cwd: string }): Payload;
  shell(when: "before" | "after", command: string, call: ShellCall): Payload;
  stop: Payload;
}

const withCwd = ({ cwd }: ShellCall): Payload => (cwd === undefined ? {} : { cwd });

const claude: Speech = {
  common: ({ session, cwd }) => ({ session_id: session, cwd }),
  shell: (when, command, { id, background, failed, ...call }) => ({
    ...withCwd(call),
    hook_event_name: when === "before" ? "PreToolUse" : failed ? "PostToolUseFailure" : "PostToolUse",
    tool_name: "Bash",
    tool_input: { command, ...(background ? { run_in_background: true } : {}) },
    ...(id === undefined ? {} : { tool_use_id: id }),
    ...(when === "after" ? { tool_response: background ? { backgroundTaskId: "b1" } : { stdout: "" } } : {}),
  }),
  stop: { hook_event_name: "Stop", stop_hook_active: false },
};

const gemini: Speech = {
  common: claude.common,
  shell: (when, command, call) => ({
    ...claude.shell(when, command, call),
    hook_event_name: when === "before" ? "BeforeTool" : "AfterTool",
    tool_name: "run_shell_command",
  }),
  stop: { hook_event_name: "AfterAgent", prompt: "do it", stop_hook_active: false },
};

const hermes: Speech = {
  common: ({ session, cwd }) => ({ session_id: session, cwd, extra: {} }),
  shell: (when, command, { id = "", ...call }) => ({
    ...withCwd(call),
    hook_event_name: when === "before" ? "pre_tool_call" : "post_tool_call",
    tool_name: "terminal",
    tool_input: { command },
    extra: { tool_call_id: id, turn_id: "t", ...(when === "after" ? { status: "ok" } : {}) },
  }),
  stop: { hook_event_name: "pre_verify", extra: { attempt: 0 } },
};

/** Hermes Agent: a turn of the user's own is over. */
export const hermesTurnEnd: Payload = {
  hook_event_name: "on_session_end",
  extra: { completed: true, interrupted: false },
};

/** Hermes Agent: the user's next message. */
export const hermesPrompt: Payload = { hook_event_name: "pre_llm_call", extra: { turn_id: "t" } };

const cursor: Speech = {
  common: ({ session, cwd }) => ({
    conversation_id: session,
    cursor_version: "3.17.19",
    workspace_roots: [cwd],
  }),
  shell: (when, command, { id, ...call }) => ({
    ...withCwd(call),
    hook_event_name: when === "before" ? "preToolUse" : "postToolUse",
    tool_name: "Shell",
    tool_input: { command },
    ...(id === undefined ? {} : { tool_use_id: id }),
  }),
  stop: { hook_event_name: "stop", status: "completed", loop_count: 0 },
};
