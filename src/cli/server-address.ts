import { tryParseEndpoint } from "../client/endpoint.ts";
import { UsageError } from "../lib/errors.ts";
import { typed } from "./arguments.ts";

/** The socket that `--server` or ROBOREV_SERVER names; undefined for this data directory's own daemon. */
export function givenSocket(
  flag: string | undefined,
  env: Record<string, string | undefined>,
): string | undefined {
  const address = flag ?? env.ROBOREV_SERVER?.trim();
  if (address === undefined || (address === "" && flag === undefined) || address === "unix://")
    return undefined;
  const endpoint = tryParseEndpoint(address);
  if (endpoint) return endpoint.socket;
  throw new UsageError(
    `${flag === undefined ? "ROBOREV_SERVER" : "--server"} is not an address: ${typed(address)}`,
    {
      hint: "Use unix:///absolute/path, or unix:// for the daemon of the data directory.",
    },
  );
}
