import { RoborevError, UsageError } from "../lib/errors.ts";
import type { Release } from "./sums.ts";

/** Where releases come from. The checksum list of the latest one says its version as well, so that nothing else is asked. */
export interface ReleaseSource {
  sumsUrl: string;
  archiveUrl(release: Release): string;
}

/**
 * The mirror that the user names in ROBOREV_UPDATE_URL, SHA256SUMS and the archives in one directory, or the releases of
 * ROBOREV_RELEASES on GitHub. There is no default as long as there are no public releases: whoever owned that name would
 * decide what program runs here. It comes from nowhere else, least of all from a repository.
 */
export function releaseSource(env: Record<string, string | undefined>): ReleaseSource {
  const mirror = env.ROBOREV_UPDATE_URL?.trim().replace(/\/+$/, "");
  if (!mirror) {
    const github = `https://github.com/${releasesOf(env)}/releases`;
    return {
      sumsUrl: `${github}/latest/download/SHA256SUMS`,
      // By its version: there may be a newer one by then.
      archiveUrl: ({ version, archive }) => `${github}/download/v${version}/${archive}`,
    };
  }
  if (!isSafeAddress(mirror) || /[?#]/.test(mirror)) {
    throw new UsageError("ROBOREV_UPDATE_URL must be an https address without ? and #", {
      code: "E_UPDATE_URL",
      hint: "For releases on GitHub name them in ROBOREV_RELEASES, as owner/name.",
    });
  }
  return { sumsUrl: `${mirror}/SHA256SUMS`, archiveUrl: ({ archive }) => `${mirror}/${archive}` };
}

function releasesOf(env: Record<string, string | undefined>): string {
  const name = env.ROBOREV_RELEASES?.trim();
  if (!name) {
    throw new RoborevError("there is no public release of roborev yet", {
      code: "E_NO_RELEASES",
      hint: "Name a mirror in ROBOREV_UPDATE_URL, or build a newer one in a checkout: ./install.sh --from-source",
    });
  }
  if (/^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/.test(name) && !/\/\.+$/.test(name)) return name;
  throw new UsageError("ROBOREV_RELEASES must be owner/name of a repository on GitHub", {
    code: "E_UPDATE_URL",
  });
}

/** Nobody on the way can change what comes from there: https, or this machine itself. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere);
}
