import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import type { DaemonEvent } from "../../src/daemon/api/event.ts";
import { binary, roborev } from "../support/binary.ts";
import { type DaemonProcess, startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** `roborev stream` as a process, connected by the time this resolves. */
async function streaming(dataDir: string, cwd: string, ...flags: string[]) {
  const child = Bun.spawn([binary, "stream", "--verbose", ...flags], {
    cwd,
    env: { ...process.env, ROBOREV_DATA_DIR: dataDir },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = { out: "", err: "" };
  const collect = async (name: "out" | "err", stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text[name] += decoder.decode(chunk, { stream: true });
  };
  const read = Promise.all([collect("out", child.stdout), collect("err", child.stderr)]);
  await waitFor("the connection", () => text.err.includes("Connected."));
  const events = () =>
    text.out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DaemonEvent | { type: "stream.reconnected" });
  return {
    events,
    types: () => events().map(({ type }) => type),
    err: () => text.err,
    /** Exit status after a signal. */
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      const code = await child.exited;
      await read;
      return code;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

const enqueue = (daemon: DaemonProcess, repo: string) =>
  daemon.send("POST", "/api/enqueue", { repo_path: repo, agent: "test" });

describe("roborev stream", () => {
  test("prints one JSON document a line until it is interrupted, exit 130", async () => {
    using dir = tempDir();
    using repo = testRepo();
    await using daemon = await startDaemon(dir.path);
    await using stream = await streaming(dir.path, "/");
    await enqueue(daemon, repo.path);
    await waitFor("the review", () => stream.types().includes("review.completed"));
    writeFileSync(dir.join("config.toml"), "review_context_count = 1\n");
    await waitFor("the new configuration", () => stream.types().length > 3);
    expect(stream.types()).toEqual(["job.enqueued", "review.started", "review.completed", "config.reloaded"]);
    expect(await stream.end("SIGINT")).toBe(130);
    expect(stream.err().split("\n").slice(1)).toEqual(["Connected.", ""]);
  }, 120_000);

  test("--repo shows one repository only, and any directory of it will do", async () => {
    using dir = tempDir();
    using repo = testRepo();
    using other = testRepo();
    repo.write("deep/down/a", "x");
    await using daemon = await startDaemon(dir.path);
    await using stream = await streaming(dir.path, repo.path, "--repo", "deep/down");
    await enqueue(daemon, other.path);
    await enqueue(daemon, repo.path);
    await waitFor("the review", () => stream.types().includes("review.completed"));
    expect(new Set(stream.events().map((event) => "repo" in event && event.repo))).toEqual(
      new Set([repo.path]),
    );
    const outside = await roborev(["stream", "--repo", dir.path], { env: { ROBOREV_DATA_DIR: dir.path } });
    expect([outside.exitCode, outside.stdout]).toEqual([1, ""]);
    expect(outside.stderr).toContain("is not inside a git repository");
  }, 120_000);

  test("goes on when the daemon comes back, says so on both streams, and does not start it itself", async () => {
    using dir = tempDir();
    using repo = testRepo();
    const first = await startDaemon(dir.path);
    await using stream = await streaming(dir.path, "/");
    await enqueue(first, repo.path);
    await waitFor("an event", () => stream.events().length > 0);
    await first.kill();
    await waitFor("the notice", () => stream.err().includes("The daemon is gone."));
    await using second = await startDaemon(dir.path);
    await waitFor("the connection", () => stream.types().includes("stream.reconnected"));
    repo.commit("two", { a: "x" });
    await enqueue(second, repo.path);
    const after = () => stream.types().slice(stream.types().indexOf("stream.reconnected"));
    await waitFor("an event", () => after().includes("job.enqueued"));
    expect(stream.err()).toContain("The daemon is back.");
  }, 120_000);

  test("ends quietly with 0 once nobody reads its output", async () => {
    using dir = tempDir();
    using repo = testRepo();
    await using daemon = await startDaemon(dir.path);
    const script = `{ "$0" stream --verbose 2>"$1/err"; echo $? >"$1/status"; } | head -n 1`;
    const pipe = Bun.spawn(["/bin/sh", "-c", script, binary, dir.path], {
      cwd: "/",
      env: { ...process.env, ROBOREV_DATA_DIR: dir.path },
      stdin: "ignore",
      stdout: "pipe",
    });
    await waitFor("the connection", async () =>
      (
        await Bun.file(dir.join("err"))
          .text()
          .catch(() => "")
      ).includes("Connected."),
    );
    await enqueue(daemon, repo.path);
    await waitFor(
      "its end",
      () => existsSync(dir.join("status")) && Bun.file(dir.join("status")).size > 0,
      20_000,
    );
    expect(await Bun.file(dir.join("status")).text()).toBe("0\n");
    expect((await Bun.file(dir.join("err")).text()).split("\n").slice(1)).toEqual(["Connected.", ""]);
    expect((await new Response(pipe.stdout).text()).split("\n")).toHaveLength(2);
    await pipe.exited;
  }, 120_000);

  test.skipIf(!existsSync("/dev/full"))(
    "G7 a disk that is full ends it with one line, exit 1",
    async () => {
      using dir = tempDir();
      using repo = testRepo();
      await using daemon = await startDaemon(dir.path);
      const child = Bun.spawn([binary, "stream", "--verbose"], {
        env: { ...process.env, ROBOREV_DATA_DIR: dir.path },
        stdin: "ignore",
        stdout: Bun.file("/dev/full"),
        stderr: Bun.file(dir.join("err")),
      });
      const err = () =>
        Bun.file(dir.join("err"))
          .text()
          .catch(() => "");
      await waitFor("the connection", async () => (await err()).includes("Connected."));
      await enqueue(daemon, repo.path);
      expect(await child.exited).toBe(1);
      expect((await err()).split("\n").slice(2)).toEqual([
        "Error: cannot write to standard output: no space left on device",
        "",
      ]);
    },
    30_000,
  );
});
