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
