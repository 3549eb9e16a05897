import { tryParseEndpoint } from "../client/endpoint.ts";
import { daemonSocketPath } from "../client/socket-path.ts";

type Environment = Record<string, string | undefined>;

/**
 * The daemon's socket: at the address that was asked for, else in the data directory. Nothing is looked up, so the
 * data directory must be absolute: a relative one would be another one in each repository.
 */
export function hookSocket(server: string | undefined, env: Environment): string {
  if (server !== undefined) {
    const endpoint = tryParseEndpoint(server);
    if (endpoint) return endpoint.socket;
    throw new Error(`the daemon address must be unix:///absolute/path, got ${server}`);
  }
  return daemonSocketPath(dataDirectory(env));
}

function dataDirectory(env: Environment): string {
  const given = env.ROBOREV_DATA_DIR?.trim();
  if (given) {
    if (given.startsWith("/")) return given;
    throw new Error(`ROBOREV_DATA_DIR must be an absolute path, got ${given}`);
  }
  const home = env.HOME?.trim() ?? "";
  if (home.startsWith("/")) return `${home.endsWith("/") ? home.slice(0, -1) : home}/.roborev`;
  throw new Error("HOME is not set to an absolute path, so the daemon cannot be found");
}
