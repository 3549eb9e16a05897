import { RoborevError } from "../../lib/errors.ts";
import type { Environment } from "../options.ts";
import { launchd } from "./launchd.ts";
import { systemd } from "./systemd.ts";

/** What a service has to know of this installation. */
export interface ServiceSpec {
  /** Absolute path of the program that is still there after an upgrade. */
  binary: string;
  /** Only where it is not the one that the daemon uses by itself. */
  dataDir?: string;
  /** What the daemon prints before it has a log of its own. */
  log: string;
}

/** One call of the service manager's program. */
export interface Step {
  argv: string[];
  /** It may have nothing to do. */
  mayFail?: true;
}

/** A program of the system that starts services at login and keeps them running, as data. */
export interface ServiceManager {
  name: "systemd" | "launchd";
  /** Of the service's file. */
  path(env: Environment): string;
  /** The whole file, with a slot for its seal. Rejects what cannot be written down in its language. */
  text(spec: ServiceSpec): string;
  /** Whether the service of such a file runs the daemon of this data directory (undefined: the default one). */
  serves(text: string, dataDir: string | undefined): boolean;
  /** Has the service manager look at its files; fails where there is none that answers, and starts or stops nothing. */
  check: Step[];
  /** Takes over a file that it has looked at, has it started at login, and starts it now. */
  enable(path: string): Step[];
  /** Starts the service of a file that is known. */
  start(path: string): Step[];
  stop: Step[];
  /** Stops it for good. */
  disable: Step[];
  /** After the file is gone. */
  forget: Step[];
  /** What a user should know who has installed it, if anything. */
  note?: string;
}

/** The service manager of this system, or an error that says what to do without. */
export function serviceManager(platform: NodeJS.Platform = process.platform): ServiceManager {
  const manager = knownServiceManager(platform);
  if (manager !== undefined) return manager;
  throw new RoborevError(`roborev knows no service manager of ${platform}`, {
    code: "E_NO_SERVICE_MANAGER",
    hint: "The daemon starts by itself when it is needed; have your system run this at login: roborev daemon start",
  });
}

/** The same for whoever only asks whether there is one. */
export const knownServiceManager = (
  platform: NodeJS.Platform = process.platform,
): ServiceManager | undefined =>
  platform === "linux" ? systemd : platform === "darwin" ? launchd : undefined;
