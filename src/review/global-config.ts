import type { ConfigCache } from "../config/load.ts";
import type { GlobalConfig } from "../config/schema.ts";

/** A file that broke keeps its last sound version; one that never was sound says nothing of what its user wants. */
export async function requireGlobalConfig(services: {
  config: ConfigCache;
  configPath: string;
}): Promise<GlobalConfig> {
  const { loaded, problem, neverSound } = await services.config.loadOrKeep(services.configPath);
  if (problem && neverSound) throw problem;
  return loaded.config;
}
