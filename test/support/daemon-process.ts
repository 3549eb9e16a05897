import { daemonSocketPath } from "../../src/client/socket-path.ts";
import { requestDaemon } from "../../src/client/transport.ts";
import { binary } from "./binary.ts";
import { waitFor } from "./wait.ts";

export interface DaemonProcess extends AsyncDisposable {
  pid: number;
  socket: string;
  exited: Promise<number>;
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: never }>;
  /** SIGKILL, and wait until it is gone. */
  kill(): Promise<void>;
}

/**
 * The compiled daemon as a process of its own on `dataDir`, answering by the time this resolves; in another mount
 * namespace if one is given.
 */
export async function startDaemon(
  dataDir: string,
  env: Record<string, string> = {},
  namespace?: { pid: number; enter: string[] },
): Promise<DaemonProcess> {
  const child = Bun.spawn([...(namespace?.enter ?? []), binary, "daemon", "run"], {
    env: { ...process.env, ROBOREV_DATA_DIR: dataDir, ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const socket = (namespace === undefined ? "" : `/proc/${namespace.pid}/root`) + daemonSocketPath(dataDir);
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await requestDaemon(socket, method, path, body, { timeoutMs: 20_000 });
    return answer as { status: number; body: never };
  };
  const ping = () =>
    requestDaemon(socket, "GET", "/api/ping", undefined, { timeoutMs: 1000 }).catch(() => undefined);
  await waitFor("the daemon to answer", async () => {
    if (child.exitCode !== null)
      throw new Error(`the daemon ended: ${await new Response(child.stderr).text()}`);
    const answer = await ping();
    return (answer?.body as { pid?: number } | undefined)?.pid === child.pid;
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { pid: child.pid, socket, exited: child.exited, send, kill, [Symbol.asyncDispose]: kill };
}
