/** Where a daemon listens. */
export interface Endpoint {
  /** Absolute path of its Unix socket. */
  socket: string;
}

/** Reads `unix:///absolute/path`; undefined for anything else. */
export function tryParseEndpoint(address: string): Endpoint | undefined {
  const match = /^unix:\/\/(\/[^\0]+)$/.exec(address.trim());
  return match ? { socket: match[1] as string } : undefined;
}
