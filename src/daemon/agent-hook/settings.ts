import {
  configuredHookSettings,
  type HookSettings,
  hookSection,
  resolveHookSettings,
} from "../../config/hook.ts";
import type { ConfigCache } from "../../config/load.ts";
import type { Harness } from "../../harness/harness.ts";
import type { HookRequest } from "../api/hook-event.ts";

export interface CallSettings {
  settings: HookSettings;
  /** Of the standard global file, whatever `--config` says. */
  guidelines: string;
  /** One line for the caller's standard error. */
  diagnostic: string | undefined;
}

/** The settings of one hook call. A broken file keeps its last sound version, or the defaults. */
export async function callSettings(
  request: HookRequest,
  harness: Harness,
  { config, configPath }: { config: ConfigCache; configPath: string },
): Promise<CallSettings> {
  const standard = await config.loadOrKeep(configPath);
  const chosen = request.config === undefined ? standard : await config.loadOrKeep(request.config);
  const flags = flagsOf(request);
  const settings =
    flags === undefined && request.env === undefined
      ? configuredHookSettings(chosen.loaded.config, harness.settingsSection)
      : resolveHookSettings({
          flags: flags ?? {},
          env: request.env ?? {},
          section: hookSection(chosen.loaded.config, harness.settingsSection),
          sectionName: harness.settingsSection,
        });
  const problem = chosen.problem ?? standard.problem;
  const diagnostic = problem?.message ?? settings.diagnostics[0];
  return { settings, guidelines: standard.loaded.config.fix_guidelines ?? "", diagnostic };
}

/** Undefined when no flag was given, as nearly always. */
function flagsOf(request: HookRequest) {
  const { threshold, commit_threshold: commits, failed_review_threshold: failed, instruction } = request;
  if (threshold === undefined && commits === undefined && failed === undefined && instruction === undefined)
    return undefined;
  return {
    ...(threshold === undefined ? {} : { turnThreshold: threshold }),
    ...(commits === undefined ? {} : { commitThreshold: commits }),
    ...(failed === undefined ? {} : { failedReviewThreshold: failed }),
    ...(instruction === undefined ? {} : { instruction }),
  };
}
