import { loadGlobalConfig } from "../config/load.ts";
import type { DataPaths } from "../config/paths.ts";
import { writeConfig } from "../config/write.ts";
import { writeFileAtomic } from "../fs/atomic.ts";
import { ensureDataDirectory } from "../fs/private.ts";

export interface ConfigOutcome {
  path: string;
  /** `created`, or `changed`: it existed and got the reviewer, or `kept` as it was. */
  outcome: "created" | "changed" | "kept";
  /** Reviewer that the file chooses after this, if any. */
  agent?: string;
}

/** A new configuration: severity floor set, because a nit should not fail a review, and said so in the file. */
export function newConfigText(agent: string | undefined): string {
  return [
    "# roborev settings of this user. What is left out has its default. All settings: roborev help config",
    "",
    "# Findings below this severity are reported but do not fail a review.",
    'review_min_severity = "medium"',
    "",
    ...(agent === undefined
      ? ["# Reviewer. Left out, the first one that is installed is used.", '# default_agent = "codex"']
      : ["# Reviewer.", `default_agent = ${JSON.stringify(agent)}`]),
    "",
  ].join("\n");
}

/**
 * Makes sure that there is a configuration file. A reviewer is added to one that names none; one that names
 * another keeps it: that choice is also made for other repositories. A broken file throws before anything is written.
 */
export async function ensureConfig(paths: DataPaths, agent: string | undefined): Promise<ConfigOutcome> {
  const loaded = await loadGlobalConfig(paths.config);
  const path = paths.config;
  if (!loaded.exists) {
    await ensureDataDirectory(paths.dataDir);
    await writeFileAtomic(path, newConfigText(agent), { mode: 0o600, expect: null });
    return { path, outcome: "created", ...(agent === undefined ? {} : { agent }) };
  }
  const current = loaded.config.default_agent;
  if (agent === undefined || current !== undefined) {
    return { path, outcome: "kept", ...(current === undefined ? {} : { agent: current }) };
  }
  const edit = { kind: "set" as const, path: ["default_agent"], value: agent };
  await writeConfig({ path, mode: 0o600, lock: paths.configLock, edit });
  return { path, outcome: "changed", agent };
}
