import { createDaemonClient, type DaemonClient } from "../client/daemon.ts";
import { ensureDaemon } from "../client/ensure.ts";
import { daemonSocketPath } from "../client/socket-path.ts";
import type { Context } from "./command.ts";
import { givenSocket } from "./server-address.ts";
import { serviceLaunch } from "./service-launch.ts";

/** A client that sends nothing by itself, for commands that only look. */
export function clientFor(context: Context): DaemonClient {
  const socket = givenSocket(context.flags.server, context.env);
  return createDaemonClient(socket ?? daemonSocketPath(context.paths().dataDir));
}

/**
 * A daemon that answers. This data directory's own is started and, if its API level is another, replaced;
 * one that was named by address is used as it is.
 */
export async function connect(
  context: Context,
  options: { autostart?: boolean } = {},
): Promise<DaemonClient> {
  const named = givenSocket(context.flags.server, context.env) !== undefined;
  const client = clientFor(context);
  context.out.detail(`Daemon socket: ${client.socket}`);
  using _ = context.out.waiting("Waiting for the daemon");
  return await ensureDaemon({
    paths: context.paths(),
    client,
    autostart: !named && options.autostart !== false,
    mayRestart: !named,
    notify: (line) => context.out.note(line),
    env: context.env,
    launch: serviceLaunch(context),
  });
}
