import { RoborevError } from "../lib/errors.ts";
import { commandKey } from "./agent-name.ts";
import { defaults } from "./defaults.ts";
import type { GlobalConfig } from "./schema.ts";

/** How many reviews run at the same time. */
export const maxWorkers = (global: GlobalConfig): number => global.max_workers ?? defaults.max_workers;

/** The command line configured for a reviewer, unsplit; undefined: its own name on PATH. */
export function agentCommand(global: GlobalConfig, agent: string): string | undefined {
  const value: unknown = (global as Record<string, unknown>)[commandKey(agent)];
  return typeof value === "string" ? value : undefined;
}

/** Who wants an agent that edits files and runs commands unasked. */
interface UnsafeAgentQuestion {
  /** A person called a command for it; else it is the daemon's own doing. */
  byUser: boolean;
  /** `--allow-unsafe-agents`, where that was given. */
  flag?: boolean;
  /** The command has that flag. */
  hasFlag?: boolean;
}

/** Rejects an agent that may edit files and run commands, unless the flag, the setting or, unset, a person's call allows it. */
export function requireUnsafeAgents(
  global: GlobalConfig,
  { byUser, flag, hasFlag }: UnsafeAgentQuestion,
): void {
  if (flag ?? global.allow_unsafe_agents ?? byUser) return;
  const isSet = flag === undefined && global.allow_unsafe_agents === false;
  throw new RoborevError(
    `no agent may edit files and run commands here${isSet ? ": allow_unsafe_agents is false" : ""}`,
    {
      code: "E_UNSAFE_AGENT",
      hint: `To allow it: roborev config set --global allow_unsafe_agents true${hasFlag ? "; for this once: --allow-unsafe-agents" : ""}`,
    },
  );
}

/** A secret from the configuration, with `${NAME}` replaced from the environment. Throws when NAME is not set. */
export function expandSecret(value: string, env: Record<string, string | undefined>): string {
  return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const found = env[name];
    if (found) return found;
    throw new RoborevError(`the configuration refers to the environment variable ${name}, which is not set`, {
      code: "E_CONFIG",
      hint: `Set ${name} for the daemon and restart it with roborev daemon restart.`,
    });
  });
}
