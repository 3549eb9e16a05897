import { toolCalls } from "../tool-calls.ts";
import type { ToolCalls } from "../turn.ts";

/** A program that this directory can drive against the model on loopback, with no login of any vendor. */
export interface Program {
  /** Its name among the releases. */
  release: string;
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

export const programs: Record<string, Program> = {
  "claude-code": {
    release: "claude",
    calls: toolCalls.claude,
    // IS_SANDBOX: as root it refuses to run fixes.
    env: () => ({ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", IS_SANDBOX: "1" }),
    control: ["-p", "--output-format", "json", "hello"],
    reads: /^(Read|Glob|Grep|DeferredToolPlaceholder)$/,
    confined: true,
    resumes: true,
    noText: "empty",
  },
  codex: {
    release: "codex",
    calls: toolCalls.codex,
    env: () => ({ STUB_API_KEY: "key-of-the-user" }),
    control: ["exec", "--json", "--dangerously-bypass-hook-trust", "hello"],
    reads: /^(?!.*(mcp|web_search|spawn_agent))/,
    confined: false,
    resumes: true,
    noText: "empty",
  },
  gemini: {
    release: "gemini",
    calls: toolCalls.gemini,
    env: (port) => ({ GEMINI_API_KEY: "stub", GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` }),
    control: ["--output-format", "stream-json", "--approval-mode", "yolo", "-p", "hello"],
    reads: /^(read_file|list_directory|grep_search|glob)$/,
    confined: true,
    resumes: false,
    noText: "exit",
    showsInstructions: true,
  },
  qwen: {
    release: "qwen",
    calls: toolCalls.qwen,
    env: () => ({}),
    control: ["--output-format", "stream-json", "--approval-mode", "yolo", "-p", "hello"],
    reads:
      /^(read_file|read_mcp_resource|zoom_image|grep_search|glob|list_directory|list_agents|get_goal|update_goal|report_findings|cron_list)$/,
    confined: true,
    resumes: false,
    noText: "exit",
  },
  copilot: {
    release: "copilot",
    calls: toolCalls.copilot,
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
    release: "opencode",
    calls: toolCalls.opencode,
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    control: ["run", "--format", "json", "hello"],
    reads: /^(read|grep|glob|list)$/,
    confined: true,
    resumes: false,
    noText: "empty",
  },
  droid: {
    release: "droid",
    calls: toolCalls.droid,
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
    release: "grok",
    calls: toolCalls.grok,
    env: () => ({ XAI_API_KEY: "stub", GROK_TELEMETRY_ENABLED: "0", GROK_DISABLE_AUTOUPDATER: "1" }),
    control: ["-p", "hello", "--trust", "--yolo", "--no-auto-update", "--output-format", "json"],
    reads: /^(read_file|list_dir|grep)$/,
    confined: false,
    resumes: true,
    noText: "empty",
    showsInstructions: true,
  },
};
