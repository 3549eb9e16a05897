import { loadGlobalConfig } from "../config/load.ts";
import { type ConfigLayers, type ConfigRow, configRows } from "../config/origins.ts";
import type { RepoConfig } from "../config/schema.ts";
import { findCheckout } from "../git/checkout.ts";
import { shellWord } from "../lib/shell-word.ts";
import type { World } from "./command.ts";
import type { FileScope } from "./config-scope.ts";
import { requireCheckout } from "./place.ts";

export interface ReadRows {
  rows: ConfigRow[];
  /** One line each: what was passed over. */
  warnings: string[];
}

interface Place extends Pick<World, "env" | "cwd"> {
  /** The user's file. */
  config: string;
}

/** Every setting that has a value here; with `scope` what that one file says, whatever decides. */
export async function readRows(place: Place, scope?: FileScope): Promise<ReadRows> {
  const warnings: string[] = [];
  const onWarning = (line: string) => warnings.push(line);
  const layers: ConfigLayers = { env: scope ? {} : place.env, global: { file: place.config, config: {} } };
  if (scope !== "local") {
    const loaded = await loadGlobalConfig(place.config);
    layers.global.config = loaded.config;
    warnings.push(...loaded.warnings);
  }
  if (scope === "local") layers.repo = await ownFile(place.cwd(), onWarning);
  else if (scope === undefined) {
    const repo = await decidingFiles(place.cwd(), onWarning);
    if (repo) layers.repo = repo;
  }
  const { rows, diagnostics } = configRows(layers);
  const kind = scope && ({ global: "global", local: "repository" } as const)[scope];
  return {
    rows: kind ? rows.filter(({ origin }) => origin.kind === kind) : rows,
    warnings: [...warnings, ...diagnostics],
  };
}

/** What a review of a commit here reads of the repository; undefined outside of one. */
async function decidingFiles(
  directory: string,
  onWarning: (line: string) => void,
): Promise<ConfigLayers["repo"] | undefined> {
  const checkout = await findCheckout(directory);
  if (!checkout) return undefined;
  const { decidingCopy, mergedConfig, readRepoCopies } = await import("../review/repo-config.ts");
  const copies = await readRepoCopies(checkout, { dirty: false, onWarning });
  for (const key of Object.keys(copies.own.config) as (keyof RepoConfig)[]) {
    const { file, config } = decidingCopy(key, copies);
    if (!Bun.deepEquals(config[key], copies.own.config[key]))
      onWarning(`${copies.own.file}: \`${key}\` has no effect: ${file} decides`);
  }
  return { config: mergedConfig(copies), fileOf: (key) => decidingCopy(key, copies).file };
}

/** The file of the working tree alone. */
async function ownFile(
  directory: string,
  onWarning: (line: string) => void,
): Promise<NonNullable<ConfigLayers["repo"]>> {
  const checkout = await requireCheckout(directory, (child) => `cd ${shellWord(child)}`);
  const { readRepoCopies } = await import("../review/repo-config.ts");
  const { own } = await readRepoCopies(checkout, { dirty: true, onWarning });
  return { config: own.config, fileOf: () => own.file };
}
