import { describe, expect, spyOn, test } from "bun:test";
import { DaemonError, daemonError, requestDaemon } from "../../src/client/transport.ts";
import { tempDir } from "../support/temp.ts";

async function failure(socket: string, timeoutMs = 2_000): Promise<DaemonError> {
  try {
    const answer = await requestDaemon(socket, "GET", "/api/ping", undefined, { timeoutMs });
    throw new Error(`answered ${answer.status}`);
  } catch (error) {
    if (error instanceof DaemonError) return error;
    throw error;
  }
}

const rawServer = (path: string, answer: string | undefined) =>
  Bun.listen({
    unix: path,
    socket: {
      data(socket) {
        if (answer === undefined) return;
        socket.write(answer);
        socket.end();
      },
    },
  });

describe("a request to the daemon", () => {
  test("carries method, path and JSON body, and brings back status and body, also of an error", async () => {
    using dir = tempDir();
    const server = Bun.serve({
      unix: dir.join("s"),
      fetch: async (request) =>
        Response.json(
          {
            method: request.method,
            path: new URL(request.url).pathname,
            type: request.headers.get("content-type"),
            body: await request.text(),
          },
          { status: 409 },
        ),
    });
    try {
      expect(await requestDaemon(dir.join("s"), "POST", "/a/b", { x: "ü" }, { timeoutMs: 2_000 })).toEqual({
        status: 409,
        body: { method: "POST", path: "/a/b", type: "application/json", body: '{"x":"ü"}' },
      });
      const get = await requestDaemon(dir.join("s"), "GET", "/", undefined, { timeoutMs: 2_000 });
      expect(get.body).toMatchObject({ method: "GET", type: null, body: "" });
    } finally {
      await server.stop(true);
    }
  });

  test("fails as not running where there is no socket, a plain file, or one that nobody listens on", async () => {
    using dir = tempDir({ plain: "" });
    const abandoned = Bun.spawn(
      [
        process.execPath,
        "-e",
        `Bun.listen({ unix: ${JSON.stringify(dir.join("old"))}, socket: { data() {} } }); process.kill(process.pid, "SIGKILL")`,
      ],
      { stdout: "ignore", stderr: "ignore" },
    );
    await abandoned.exited;
    for (const name of ["missing", "no/directory", "plain", "plain/below", "old"]) {
      const error = await failure(dir.join(name));
      expect([error.failure, error.code]).toEqual(["not-running", "E_DAEMON_NOT_RUNNING"]);
      expect(error.message).toContain(dir.join(name));
    }
  });

  test("D03 fails with the reason where the path of the socket is longer than the system allows", async () => {
    const socket = `/tmp/${"d".repeat(150)}/daemon.sock`;
    expect(await failure(socket)).toMatchObject({
      failure: "bad-answer",
      message: `the path of the socket is too long for this system: ${socket}`,
    });
  });

  test("D05 fails as denied, not as not running, where the system forbids it", () => {
    for (const code of ["EPERM", "EACCES"]) {
      const error = daemonError(Object.assign(new Error(code), { code }), "/s", 1000);
      expect([error.failure, error.code, error.message]).toEqual([
        "denied",
        "E_DAEMON_DENIED",
        "not allowed to connect to /s",
      ]);
    }
  });

  test("fails as timed out when the answer does not come, or not wholly", async () => {
    using dir = tempDir();
    const silent = rawServer(dir.join("silent"), undefined);
    try {
      expect((await failure(dir.join("silent"), 50)).failure).toBe("timed-out");
    } finally {
      silent.stop(true);
    }
  });

  test("fails as a bad answer for what is not HTTP, cut off, a redirect, or not JSON", async () => {
    using dir = tempDir();
    const answers = {
      garbage: "garbage\r\n\r\n",
      empty: "",
      cut: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a"',
      redirect: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
      html: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
    };
    for (const [name, answer] of Object.entries(answers)) {
      const server = rawServer(dir.join(name), answer);
      try {
        expect((await failure(dir.join(name))).failure).toBe("bad-answer");
      } finally {
        server.stop(true);
      }
    }
  });

  // Root may connect to anything, so the system's refusal is played: what Bun 1.4.5 rejects with for another user.
  test.each(["EACCES", "EPERM"])("fails as denied on %s", async (code) => {
    const fetched = spyOn(globalThis, "fetch").mockRejectedValue(
      Object.assign(new TypeError(code), { code }),
    );
    try {
      expect((await failure("/s")).failure).toBe("denied");
    } finally {
      fetched.mockRestore();
    }
  });
});
