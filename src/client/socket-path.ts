// Shared by the hook path and the daemon, so that both find the same socket without a look-up. No `node:` import.

/** Longest path that every supported system accepts for a Unix socket, with room to spare (macOS: 104 bytes). */
const maxSocketPathBytes = 100;

/**
 * The daemon's socket for a data directory: `daemon.sock` in it or, where that path is too long for the system,
 * in `/tmp/roborev-<uid>-<hash of the data directory>/`.
 */
export function daemonSocketPath(dataDir: string): string {
  let directory = dataDir;
  while (directory.length > 1 && directory.endsWith("/")) directory = directory.slice(0, -1);
  const inside = `${directory}/daemon.sock`;
  // A character takes at most three bytes; nearly all paths are short enough not to be encoded to be measured.
  if (inside.length * 3 <= maxSocketPathBytes) return inside;
  if (new TextEncoder().encode(inside).length <= maxSocketPathBytes) return inside;
  return `/tmp/roborev-${process.getuid?.() ?? 0}-${Bun.hash(directory).toString(16)}/daemon.sock`;
}
