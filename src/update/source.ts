import { UsageError } from "../lib/errors.ts";
import type { Release } from "./sums.ts";

/** Where releases come from. The checksum list of the latest one says its version as well, so that nothing else is asked. */
export interface ReleaseSource {
  sumsUrl: string;
  archiveUrl(release: Release): string;
}

const github = "https://github.com/roborev/roborev/releases";

/**
 * GitHub, or the mirror that the user names in ROBOREV_UPDATE_URL: SHA256SUMS and the archives in one directory. It
 * comes from nowhere else, least of all from a repository: whoever decides this decides what program runs here.
 */
export function releaseSource(env: Record<string, string | undefined>): ReleaseSource {
  const mirror = env.ROBOREV_UPDATE_URL?.trim().replace(/\/+$/, "");
  if (!mirror) {
    return {
      sumsUrl: `${github}/latest/download/SHA256SUMS`,
      // By its version: there may be a newer one by then.
      archiveUrl: ({ version, archive }) => `${github}/download/v${version}/${archive}`,
    };
  }
  if (!isSafeAddress(mirror) || /[?#]/.test(mirror)) {
    throw new UsageError("ROBOREV_UPDATE_URL must be an https address without ? and #", {
      code: "E_UPDATE_URL",
      hint: "Leave it unset for the releases on GitHub.",
    });
  }
  return { sumsUrl: `${mirror}/SHA256SUMS`, archiveUrl: ({ archive }) => `${mirror}/${archive}` };
}

/** Nobody on the way can change what comes from there: https, or this machine itself. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}
