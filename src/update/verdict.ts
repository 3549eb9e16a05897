export const isVersion = (value: unknown): value is string =>
  typeof value === "string" && /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(value);

/** `v1.2.3+abc` as `1.2.3`: what the name of a release says. */
export const releaseOf = (version: string): string => version.replace(/^v/, "").replace(/\+.*/, "");

/** Built by hand: from source, between releases, or with changed files. */
export const isDevelopment = (version: string): boolean =>
  version === "dev" || /-dev\b/.test(version) || /\+.*dirty/.test(version);

export type Verdict =
  /** The release is newer, or the user insists. */
  | "install"
  /** What is installed is as new. */
  | "current"
  /** Somebody built this one himself: it is not replaced without being asked. */
  | "development";

export function judge(installed: string, release: string, force: boolean): Verdict {
  if (force) return "install";
  if (isDevelopment(installed)) return "development";
  return Bun.semver.order(release, releaseOf(installed)) > 0 ? "install" : "current";
}
