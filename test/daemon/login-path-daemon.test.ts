import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import type { Job } from "../../src/store/schema.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { testRepo } from "../support/repo.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** A daemon as a git hook of an editor starts it: with the system's PATH, for a user whose shell is this script. */
async function bareDaemon(shell: string) {
  const dir = tempDir({ "data/config.toml": "", "bin/zsh": `#!/bin/sh\n${shell}\n`, "agents/.keep": "" });
  chmodSync(dir.join("bin/zsh"), 0o755);
  const repo = testRepo();
  const daemon = await startDaemon(dir.join("data"), {
    PATH: "/usr/bin:/bin",
    HOME: dir.path,
    SHELL: dir.join("bin/zsh"),
    AGENTS: dir.join("agents"),
  });
  return {
    ...{ dir, daemon },
    enqueue: () =>
      daemon.send("POST", "/api/enqueue", { repo_path: repo.path, git_ref: "HEAD" }) as Promise<{
        status: number;
        body: Job;
      }>,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

const answer = 'for last; do :; done; PATH="$(dirname "$0")/../agents:$PATH" exec /bin/sh -c "$last"';

test("A09 a daemon with the system's PATH finds the reviewer where the user's shell finds it, and runs it there", async () => {
  await using s = await bareDaemon(`echo welcome back\n${answer}`);
  stubReviewer(s.dir.join("agents/claude"), "say 'No issues found. Read README.md.'");
  const { status, body } = await s.enqueue();
  expect([status, body.agent]).toEqual([201, "claude-code"]);
  await waitFor("the review", async () => {
    const jobs = (await s.daemon.send("GET", `/api/jobs?id=${body.id}`)).body as { jobs: Job[] };
    return jobs.jobs.find((job) => job.id === body.id && job.status === "done");
  });
}, 120_000);

test("A09 a job waits for a slow shell; hooks and readers do not", async () => {
  await using s = await bareDaemon(`while [ ! -e "$(dirname "$0")/go" ]; do sleep 0.05; done\n${answer}`);
  stubReviewer(s.dir.join("agents/claude"), "say 'No issues found. Read README.md.'");
  let isQueued = false;
  const queued = s.enqueue().then((result) => {
    isQueued = true;
    return result;
  });
  expect((await s.daemon.send("GET", "/api/status")).status).toBe(200);
  expect(isQueued).toBe(false);
  await Bun.write(s.dir.join("bin/go"), "");
  expect((await queued).body).toMatchObject({ agent: "claude-code" });
}, 120_000);

test("A09 without a shell to ask, a reviewer that is nowhere is an error that says so", async () => {
  await using s = await bareDaemon("exit 1");
  const { status, body } = await s.enqueue();
  expect([status, (body as unknown as { code: string }).code]).toEqual([503, "E_AGENT_NONE"]);
}, 120_000);
