import { join } from "node:path";
import { homeOf } from "../../lib/config-directory.ts";
import { sealSlot } from "../../skills/seal.ts";
import { writablePath } from "./path-text.ts";
import type { ServiceManager } from "./service.ts";

const label = "dev.roborev.daemon";
// Evaluated late: the hook path must not pay for it, and other systems have no such number.
const domain = () => `gui/${process.getuid?.() ?? 0}`;
const launchctl = (...words: string[]) => ["launchctl", ...words];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text between tags, for any text without control characters. */
export const plistText = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => entities[char] as string);

const string = (text: string) => `<string>${plistText(text)}</string>`;
const entry = (key: string, value: string) => `<key>${key}</key>${value}`;
const dataDirEntry = (dataDir: string) => entry("ROBOREV_DATA_DIR", string(dataDir));

export const launchd: ServiceManager = {
  name: "launchd",
  path: (env) => join(homeOf(env), "Library", "LaunchAgents", `${label}.plist`),
  text: ({ binary, dataDir, log }) =>
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      "<!-- Written by: roborev daemon install-service. It replaces this file as long as nobody edits it.",
      sealSlot,
      "-->",
      '<plist version="1.0">',
      "<dict>",
      `  ${entry("Label", string(label))}`,
      `  ${entry("ProgramArguments", `<array>${[writablePath(binary), "daemon", "run"].map(string).join("")}</array>`)}`,
      "  <key>EnvironmentVariables</key>",
      "  <dict>",
      `    ${entry("ROBOREV_SERVICE", string("launchd"))}`,
      ...(dataDir === undefined ? [] : [`    ${dataDirEntry(writablePath(dataDir))}`]),
      "  </dict>",
      `  ${entry("RunAtLoad", "<true/>")}`,
      // Asked to stop, it exits with 0 and stays down.
      `  ${entry("KeepAlive", `<dict>${entry("SuccessfulExit", "<false/>")}</dict>`)}`,
      `  ${entry("StandardOutPath", string(writablePath(log)))}`,
      `  ${entry("StandardErrorPath", string(writablePath(log)))}`,
      "</dict>",
      "</plist>",
      "",
    ].join("\n"),
  serves: (text, dataDir) =>
    dataDir === undefined
      ? !text.includes("<key>ROBOREV_DATA_DIR</key>")
      : text.split("\n").some((line) => line.trim() === dataDirEntry(dataDir)),
  get check() {
    return [{ argv: launchctl("print", domain()) }];
  },
  // What is loaded already cannot be loaded again.
  enable: (path) => [
    { argv: launchctl("bootout", `${domain()}/${label}`), mayFail: true },
    { argv: launchctl("enable", `${domain()}/${label}`) },
    { argv: launchctl("bootstrap", domain(), path) },
    { argv: launchctl("kickstart", `${domain()}/${label}`) },
  ],
  start: (path) => [
    { argv: launchctl("bootstrap", domain(), path), mayFail: true },
    { argv: launchctl("kickstart", `${domain()}/${label}`) },
  ],
  get stop() {
    return [{ argv: launchctl("bootout", `${domain()}/${label}`) }];
  },
  get disable() {
    return [{ argv: launchctl("bootout", `${domain()}/${label}`), mayFail: true as const }];
  },
  forget: [],
};
