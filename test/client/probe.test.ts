import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createDaemonClient } from "../../src/client/daemon.ts";
import { probeDaemon } from "../../src/client/probe.ts";
import { tempDir } from "../support/temp.ts";

/** Listens, and hangs up on everyone who asks something; `once`: and is gone then, as a daemon that is killed. */
function hangingUp(socket: string, options: { once: boolean }) {
  let calls = 0;
  const server = Bun.listen({
    unix: socket,
    socket: {
      data(client) {
        calls++;
        if (options.once) {
          server.stop();
          rmSync(socket, { force: true });
        }
        client.end();
      },
    },
  });
  return { calls: () => calls, [Symbol.dispose]: () => server.stop(true) };
}

test("G11 a daemon that dies while it is asked is not running", async () => {
  using dir = tempDir();
  using server = hangingUp(dir.join("s"), { once: true });
  expect(await probeDaemon(createDaemonClient(dir.join("s")))).toEqual({ state: "not-running" });
  expect(server.calls()).toBe(1);
});

test("what hangs up on everyone is no daemon", async () => {
  using dir = tempDir();
  using server = hangingUp(dir.join("s"), { once: false });
  const error = await probeDaemon(createDaemonClient(dir.join("s"))).catch((caught) => caught);
  expect(error).toMatchObject({ code: "E_DAEMON_ANSWER" });
  expect(server.calls()).toBeLessThanOrEqual(4);
});
