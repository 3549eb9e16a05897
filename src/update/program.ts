import { version } from "../lib/version.ts";
import { builtFor } from "./platform.ts";

/** A roborev that is installed somewhere. */
export interface Program {
  version: string;
  /** As archives are named; undefined when it runs from source. */
  platform: string | undefined;
  /** Of its file, links resolved. */
  path: string;
}

/** The one that is running. Where it lies is asked early: once it was replaced, the system tells of the old file. */
export const runningProgram = (): Program => ({ version, platform: builtFor, path: process.execPath });
