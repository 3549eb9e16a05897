declare const ROBOREV_PLATFORM: string | undefined;

/** The system that this binary was built for, as the names of archives say it; undefined when run from source. */
export const builtFor: string | undefined =
  typeof ROBOREV_PLATFORM === "string" ? ROBOREV_PLATFORM : undefined;

/**
 * Systems with releases: Bun's name of the target, and ours in the archive's name. `baseline` runs on processors
 * without AVX2. `install.sh` finds the same names out by looking at the machine.
 */
export const platforms: Readonly<Record<string, string>> = {
  "linux-x64": "linux_amd64",
  "linux-x64-baseline": "linux_amd64_baseline",
  "linux-arm64": "linux_arm64",
  "linux-x64-musl": "linux_amd64_musl",
  "linux-x64-musl-baseline": "linux_amd64_musl_baseline",
  "linux-arm64-musl": "linux_arm64_musl",
  "darwin-x64": "darwin_amd64",
  "darwin-x64-baseline": "darwin_amd64_baseline",
  "darwin-arm64": "darwin_arm64",
  "windows-x64": "windows_amd64",
  "windows-x64-baseline": "windows_amd64_baseline",
  "windows-arm64": "windows_arm64",
};

/** `version` without what follows a `+`, which archives and comparisons leave out. */
export const archiveName = (version: string, platform: string): string =>
  `roborev_${version.replace(/\+.*/, "")}_${platform}.tar.gz`;

/** Of the program in an archive, and of the program on disk. */
export const programName = (platform: string): string =>
  platform.startsWith("windows") ? "roborev.exe" : "roborev";
