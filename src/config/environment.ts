import { hookSectionNames, hookVariables } from "./hook.ts";

/** A variable that roborev reads or sets. */
export interface EnvironmentVariable {
  name: string;
  /** Completes "NAME  …". */
  meaning: string;
  /** `yours` to set, `tool`: roborev sets it for what it starts, `installer`: read by install.sh alone. */
  of: "yours" | "tool" | "installer";
}

const yours = (name: string, meaning: string): EnvironmentVariable => ({ name, meaning, of: "yours" });

const sectionAgents = { agent_hook: "all coding agents but Factory Droid", droid_hook: "Factory Droid" };

/** Every `ROBOREV_…` variable that the program knows: help, `doctor` and a test of the sources read this list. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  yours("ROBOREV_DATA_DIR", "absolute path of the data directory, in place of ~/.roborev"),
  yours("ROBOREV_SERVER", "daemon to talk to, as unix:///path; the flag --server wins"),
  yours("ROBOREV_AGENT_HOOK", "0, off, false or no: coding agents are not reminded"),
  yours("ROBOREV_COLOR_MODE", "colours of roborev tui: dark, light, none or auto; none holds for all output"),
  yours("ROBOREV_SKIP_VERSION_CHECK", "1: a daemon of any version will do"),
  yours("ROBOREV_UPDATE_URL", "where roborev update looks, a directory with SHA256SUMS in place of GitHub"),
  yours("ROBOREV_NO_UPDATE_CHECK", "1: roborev status does not look for a newer release once a day"),
  yours("ROBOREV_DEBUG", "set to anything: a failure that is a bug prints its stack as well"),
  ...hookSectionNames.flatMap((section) =>
    hookVariables(section).map(({ name, key }) =>
      yours(name, `wins over ${key} of [${section}], for ${sectionAgents[section]}`),
    ),
  ),
  ...hookSectionNames.map((section) =>
    yours(
      `ROBOREV_${section.toUpperCase()}_ROBOREV_ADDR`,
      `daemon of the hook, for ${sectionAgents[section]}`,
    ),
  ),
  {
    name: "ROBOREV_REVIEW_JOB",
    meaning: "number of the review that a program runs in: it starts no further ones",
    of: "tool",
  },
  {
    name: "ROBOREV_FIX_JOB",
    meaning: "number of the job that an agent fixes in: it is not reminded",
    of: "tool",
  },
  {
    name: "ROBOREV_SERVICE",
    meaning: "systemd or launchd: the service that starts the daemon",
    of: "tool",
  },
  { name: "ROBOREV_INSTALL_DIR", meaning: "where install.sh puts the program", of: "installer" },
  {
    name: "ROBOREV_RELEASES",
    meaning: "owner/name on GitHub of the releases that install.sh and roborev update take",
    of: "installer",
  },
];

/** Variables of others that roborev heeds. */
export const heededVariables: readonly (readonly [names: string, meaning: string])[] = [
  ["NO_COLOR", "set to anything: no colours"],
  ["FORCE_COLOR", "colours although the output is no terminal; 0 or false: none"],
  ["TERM", "with the value dumb: no colours"],
  ["COLORFGBG", "tells roborev tui whether the background is light"],
  ["VISUAL, EDITOR", "editor for the text of roborev comment"],
  ["SHELL", "asked by the daemon for the PATH on which it looks for reviewers"],
];

/** No switch of the compiler closes these (reported for Bun 1.4.5): whoever exports them opens every hook. */
export const openings: Readonly<Record<string, string>> = {
  BUN_BE_BUN: "turns every roborev into the Bun that it was built with, which runs scripts of the repository",
  BUN_INSPECT: "lets a debugger run code inside every roborev",
  BUN_INSPECT_PRELOAD: "loads a file of its own into every roborev",
};
