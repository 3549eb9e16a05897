import { isAbsolute, join } from "node:path";
import { homeOf } from "../../lib/config-directory.ts";
import { sealSlot } from "../../skills/seal.ts";
import { writablePath } from "./path-text.ts";
import type { ServiceManager } from "./service.ts";

const unit = "roborev.service";
const systemctl = (...words: string[]) => ["systemctl", "--user", ...words];

/** A word of ExecStart= or Environment=, for any text without control characters (systemd.syntax(7), systemd.unit(5)). */
export function unitWord(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** The value of a key that takes the rest of its line. */
export const unitValue = (text: string): string => text.replaceAll("%", "%%");

/**
 * The program's own path is not subject to the substitution of variables, so that `$$` would not be read as `$`; the
 * rest of the line is, unless a colon forbids it. A path with quotes or backslashes systemd refuses (252, measured).
 */
function program(path: string): string {
  const word = unitWord(writablePath(writablePath(path), /["'\\]/, "quotes or backslashes"));
  return `${path.includes("$") ? ":" : ""}${word}`;
}

const dataDirLine = (dataDir: string): string => `Environment=${unitWord(`ROBOREV_DATA_DIR=${dataDir}`)}`;

export const systemd: ServiceManager = {
  name: "systemd",
  path(env) {
    const moved = env.XDG_CONFIG_HOME?.trim();
    const config = moved && isAbsolute(moved) ? moved : join(homeOf(env), ".config");
    return join(config, "systemd", "user", unit);
  },
  text: ({ binary, dataDir, log }) =>
    [
      "# Written by: roborev daemon install-service. It replaces this file as long as nobody edits it.",
      `# ${sealSlot}`,
      "[Unit]",
      "Description=roborev, reviews git commits in the background",
      "StartLimitIntervalSec=60",
      "StartLimitBurst=5",
      "",
      "[Service]",
      "Type=exec",
      `ExecStart=${program(binary)} daemon run`,
      'Environment="ROBOREV_SERVICE=systemd"',
      ...(dataDir === undefined ? [] : [dataDirLine(writablePath(dataDir))]),
      // Asked to stop, it exits with 0 and stays down.
      "Restart=on-failure",
      "RestartSec=5",
      // It ends its reviewers by itself.
      "KillMode=mixed",
      "TimeoutStopSec=15",
      `StandardOutput=append:${unitValue(writablePath(log))}`,
      "StandardError=inherit",
      "",
      "[Install]",
      "WantedBy=default.target",
      "",
    ].join("\n"),
  serves: (text, dataDir) =>
    dataDir === undefined
      ? !text.includes("ROBOREV_DATA_DIR=")
      : text.split("\n").includes(dataDirLine(dataDir)),
  check: [{ argv: systemctl("daemon-reload") }],
  enable: () => [
    { argv: systemctl("enable", unit) },
    { argv: systemctl("reset-failed", unit), mayFail: true },
    { argv: systemctl("restart", unit) },
  ],
  // One that failed too often is not started again before it is forgiven.
  start: () => [{ argv: systemctl("reset-failed", unit), mayFail: true }, { argv: systemctl("start", unit) }],
  stop: [{ argv: systemctl("stop", unit) }],
  disable: [{ argv: systemctl("disable", "--now", unit) }],
  forget: [{ argv: systemctl("daemon-reload") }],
  note: "It runs while you are logged in. To keep it running without a login: loginctl enable-linger",
};
