import { homedir } from "node:os";
import { join } from "node:path";
import type { ReasoningLevel } from "../../config/reasoning.ts";
import type { Isolation, Reviewer } from "./reviewer.ts";
import { checkedModel, resumable } from "./reviewer-arguments.ts";
import { droidStream } from "./stream/droid.ts";
import { serverNames } from "./user-servers.ts";

/** Absent: the model's own default. */
const efforts: Partial<Record<ReasoningLevel, string>> = { fast: "low", thorough: "high", maximum: "high" };

/**
 * Measured with 0.225.2: `exec` runs a project's hooks and MCP servers unasked, and by default, called read-only, also
 * every command that the model declares harmless. In a cell no project is found; its files switch off the hooks and
 * the MCP servers of the user, and only tools that read exist.
 */
const isolation: Isolation = {
  documentation: [
    "https://docs.factory.ai/cli/droid-exec/overview",
    "https://docs.factory.ai/reference/hooks-reference",
  ],
  switches: ["--only-tools", "Read,LS,Grep,Glob"],
  cell: (_, { files }) => ({
    ".factory/hooks.json": JSON.stringify({ hooksDisabled: true }),
    ".factory/mcp.json": JSON.stringify({ mcpServers: Object.fromEntries(serverNames(files).map(disabled)) }),
  }),
};

const disabled = (name: string) => [name, { type: "stdio", command: "true", disabled: true }];

export const droid: Reviewer = {
  name: "droid",
  aliases: [],
  command: "droid",
  help: ["exec", "--help"],
  requiredFlags: ["--output-format", "--only-tools"],
  fixFlags: ["--output-format", "--auto"],
  userFiles: (env) => [join(env.FACTORY_HOME_OVERRIDE || env.HOME || homedir(), ".factory", "mcp.json")],
  isolation,
  argv(task, { flags }) {
    const effort = efforts[task.reasoning];
    return [
      ...["exec", "--output-format", "stream-json"],
      ...(task.agentic
        ? ["--auto", "medium"]
        : [
            ...isolation.switches,
            ...(flags.has("--disable-builtin-skills") ? ["--disable-builtin-skills"] : []),
          ]),
      ...(effort === undefined ? [] : ["--reasoning-effort", effort]),
      ...checkedModel(task.model, "--model"),
      // A conversation belongs to the directory that it began in.
      ...(task.agentic ? resumable(task.sessionId, "--session-id") : []),
    ];
  },
  environment: (env) => ({ ...env }),
  createParser: droidStream,
};
