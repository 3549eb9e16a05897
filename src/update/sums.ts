import { RoborevError } from "../lib/errors.ts";
import { isVersion } from "./verdict.ts";

export interface Release {
  version: string;
  /** File name of the archive for one platform. */
  archive: string;
  sha256: string;
}

/**
 * The release whose SHA256SUMS this is, as far as one platform is concerned. Rejects a list that is no such thing,
 * and one that is ambiguous; `install.sh` reads it in the same way.
 */
export function parseSums(text: string, platform: string): Release {
  const found = text.split("\n").flatMap((line) => {
    const [, sha256, archive, version, rest] =
      /^([0-9a-fA-F]{64}) [ *](roborev_([0-9][0-9A-Za-z.-]*)_([a-z0-9_]+)\.tar\.gz)\r?$/.exec(line) ?? [];
    if (sha256 === undefined || archive === undefined || version === undefined) return [];
    return rest === platform ? [{ version, archive, sha256: sha256.toLowerCase() }] : [];
  });
  const [release, ...more] = found;
  if (release === undefined || !isVersion(release.version)) {
    throw new RoborevError(`this release has no archive for ${platform}`, {
      code: "E_RELEASE",
      hint: "Build it yourself with: ./install.sh --from-source",
    });
  }
  if (more.length > 0) {
    throw new RoborevError(`SHA256SUMS names several archives for ${platform}`, { code: "E_RELEASE" });
  }
  return release;
}
