import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import type { DaemonStatus } from "../../../src/daemon/api/responses.ts";
import type { Job } from "../../../src/store/schema.ts";
import { connectTo } from "../../support/connection.ts";
import { startDaemon } from "../../support/daemon-process.ts";
import { asBuilt } from "../../support/release-server.ts";
import { testRepo } from "../../support/repo.ts";
import { waitFor } from "../../support/wait.ts";
import { latest, old, scene } from "./scene.ts";

describe("C14 update while a review runs", () => {
  async function busy(reviewMs: number) {
    const s = scene();
    const repo = testRepo();
    const daemon = await startDaemon(s.dataDir);
    const enqueue = async (content: string) => {
      const git_ref = repo.commit("work", { [crypto.randomUUID()]: content });
      const { body } = await daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref });
      return (body as Job).id;
    };
    const running = await enqueue(`TEST-REVIEWER-SLEEP: ${reviewMs}\n`);
    const ask = async (path: string) => {
      using connection = await connectTo(daemon.socket);
      return (await connection.send("GET", path)).body;
    };
    await waitFor("the reviewer", () => existsSync(`${s.dataDir}/logs/jobs/${running}.log`));
    return {
      ...s,
      daemon,
      status: async () => (await ask("/api/status")) as DaemonStatus,
      job: async () => ((await ask(`/api/jobs?id=${running}`)) as { jobs: Job[] }).jobs[0] as Job,
      async [Symbol.asyncDispose]() {
        await s[Symbol.asyncDispose]();
        await daemon.kill();
        repo[Symbol.dispose]();
      },
    };
  }

  test("waits for it", async () => {
    await using s = await busy(700);
    const { code, stderr } = await s.update(["--yes"]);
    expect([code, stderr]).toEqual([0, "Waiting for 1 review to end\n"]);
    expect(await s.job()).toMatchObject({ status: "done", retry_count: 0 });
    expect([s.installed(), (await s.status()).pid === s.daemon.pid]).toEqual([asBuilt, false]);
  }, 60_000);

  test("interrupts it, and it begins anew under the new program", async () => {
    await using s = await busy(60_000);
    expect((await s.update(["--running=interrupt", "--yes"])).code).toBe(0);
    expect(s.installed()).toBe(asBuilt);
    await waitFor("the reviewer again", async () => (await s.job()).status === "running");
    expect([(await s.job()).retry_count, (await s.status()).pid === s.daemon.pid]).toEqual([0, false]);
  }, 60_000);

  test("aborts before anything is downloaded", async () => {
    await using s = await busy(60_000);
    const { code, stderr } = await s.update(["--running=abort", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toStartWith("Error: 1 review is running. ");
    expect([s.installed(), s.beside(), s.server.asked]).toEqual([old, ["roborev"], ["SHA256SUMS"]]);
    expect(await s.status()).toMatchObject({ pid: s.daemon.pid, draining: false, active_workers: 1 });
  }, 60_000);

  test("interrupted from the keyboard while it waits leaves everything as it was", async () => {
    await using s = await busy(60_000);
    const interrupt = new AbortController();
    const updating = s.update(["--yes"], { signal: interrupt.signal });
    await waitFor("the wait", async () => (await s.status()).draining);
    expect(s.beside()).toHaveLength(2);
    interrupt.abort();
    expect((await updating).code).toBe(130);
    expect([s.installed(), s.beside()]).toEqual([old, ["roborev"]]);
    expect(await s.status()).toMatchObject({ pid: s.daemon.pid, draining: false, active_workers: 1 });
  }, 60_000);

  test("asks whether to wait, and a no changes nothing", async () => {
    await using s = await busy(60_000);
    const questions: string[] = [];
    const answers = [true, false];
    const confirm = (question: string) => {
      questions.push(question);
      return answers.shift() === true;
    };
    const { code, stderr } = await s.update([], { confirm });
    expect([code, stderr]).toEqual([0, "Nothing was changed.\n"]);
    expect(questions).toEqual([
      `Update roborev 0.0.1+abc to ${latest}?`,
      "1 review is running. Wait for the end?",
    ]);
    expect([s.installed(), s.server.asked]).toEqual([old, ["SHA256SUMS"]]);
  }, 60_000);
});
