import { chmod, open } from "node:fs/promises";
import { getRotatingFileSink } from "@logtape/file";
import { configure, dispose, getLogger, jsonLinesFormatter } from "@logtape/logtape";
import { redactSecrets } from "../lib/redact.ts";

/**
 * What the daemon writes down: events with fields, never payloads, prompts or command texts, but what a review hook
 * printed last; secrets are masked.
 */
export interface DaemonLog {
  info(event: string, fields: Record<string, unknown>): void;
  warn(event: string, fields: Record<string, unknown>): void;
  error(event: string, fields: Record<string, unknown>): void;
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;

/** JSON lines in `path`, rotated at 5 MB, five files kept. */
export async function openDaemonLog(path: string): Promise<DaemonLog> {
  await makePrivate(path);
  const file = getRotatingFileSink(path, {
    formatter: jsonLinesFormatter,
    maxSize: 5 * megabyte,
    maxFiles: 5,
    bufferSize: 0,
  });
  await configure({
    reset: true,
    sinks: { file },
    loggers: [
      { category: "roborev", sinks: ["file"], lowestLevel: "info" },
      { category: ["logtape", "meta"], sinks: ["file"], lowestLevel: "error" },
    ],
  });
  const logger = getLogger("roborev");
  return {
    info: (event, fields) => logger.info(event, redacted(fields)),
    warn: (event, fields) => logger.warn(event, redacted(fields)),
    error: (event, fields) => logger.error(event, redacted(fields)),
    close: () => dispose(),
  };
}

/** The library creates files as the umask says. */
async function makePrivate(path: string): Promise<void> {
  await (await open(path, "a", 0o600)).close();
  await chmod(path, 0o600);
}

const redacted = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? redactSecrets(value) : value,
    ]),
  );
