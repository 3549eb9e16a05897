import { loadGlobalConfig } from "../config/load.ts";
import { RoborevError } from "../lib/errors.ts";
import type { Context } from "./command.ts";
import { errorLine } from "./output.ts";

/** A running daemon goes on with the last sound version of a file that broke; whoever relies on the new one is told. */
export async function warnOfBrokenConfig(context: Context): Promise<void> {
  if (context.flags.server !== undefined) return; // a daemon with another file
  try {
    await loadGlobalConfig(context.paths().config);
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    context.out.note(`${errorLine(error).replace(/^Error/, "Warning")} Until then its last version holds.`);
  }
}
