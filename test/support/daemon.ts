import { mkdirSync } from "node:fs";
import { createConfigCache } from "../../src/config/load.ts";
import { dataPaths } from "../../src/config/paths.ts";
import { createApp } from "../../src/daemon/app.ts";
import { ErrorRing } from "../../src/daemon/error-ring.ts";
import { openParts } from "../../src/daemon/parts.ts";
import { systemClock } from "../../src/lib/clock.ts";

export interface TestDaemon extends AsyncDisposable {
  /** One request through guard, parser and routes. */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  post(path: string, body: unknown): Promise<{ status: number; body: never }>;
  get(path: string): Promise<{ status: number; body: never }>;
  /** How often it was asked to stop. */
  stops: number;
  parts: Awaited<ReturnType<typeof openParts>>;
  errors: ErrorRing;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  body?: string;
}

/** The daemon's app on real files in `dataDir`, without a socket; workers run when `workers` > 0. */
export async function testDaemon(dataDir: string, options: { workers?: number } = {}): Promise<TestDaemon> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const errors = new ErrorRing(systemClock);
  const silent = { info() {}, warn() {}, error() {}, close: async () => {} };
  const workers = options.workers ?? 0;
  const parts = await openParts({
    paths: dataPaths(dataDir),
    config: createConfigCache(),
    workers,
    errors,
    log: silent,
  });
  const daemon: TestDaemon = {
    stops: 0,
    parts,
    errors,
    request(method, path, { headers = {}, body } = {}) {
      const all = {
        host: "localhost",
        ...(method === "POST" ? { "content-type": "application/json" } : {}),
        ...headers,
      };
      return Promise.resolve(
        app.fetch(
          new Request(`http://localhost${path}`, {
            method,
            headers: all,
            ...(body === undefined ? {} : { body }),
          }),
        ),
      );
    },
    async post(path, body) {
      const response = await daemon.request("POST", path, { body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as never };
    },
    async get(path) {
      const response = await daemon.request("GET", path);
      return { status: response.status, body: (await response.json()) as never };
    },
    async [Symbol.asyncDispose]() {
      await parts.stopWork();
      await parts.close();
    },
  };
  const app = createApp({
    ...parts.services,
    socket: `${dataDir}/daemon.sock`,
    startedAt: systemClock.now(),
    stop: () => {
      daemon.stops++;
    },
  });
  if (workers > 0) parts.start();
  return daemon;
}
