import { readFileSync, writeFileSync } from "node:fs";
import { createDaemonClient, type DaemonClient } from "../../../src/client/daemon.ts";
import { findCheckout } from "../../../src/git/checkout.ts";
import { claudeCode } from "../../../src/review/agents/claude-code.ts";
import type { FixResult, FixServices } from "../../../src/review/fix/services.ts";
import type { Comment, Finding, Verdict } from "../../../src/store/schema.ts";
import { type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";
import { storeReview } from "../../support/reviews.ts";
import { stubReviewer } from "../../support/stub-reviewer.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

export interface FixScene extends AsyncDisposable {
  dir: TempDir;
  repo: TestRepo;
  daemon: TestDaemon;
  client: DaemonClient;
  services: FixServices;
  /** What the agent does from now on, as shell text; `$dir` is the scene's directory, `$PROMPT` the file with its prompt. */
  agent(shell: string): void;
  /** Commits, and puts a review of the commit into the store; its job. */
  reviewed(message: string, verdict?: Verdict, findings?: Finding[]): Promise<number>;
  comments(jobId: number): Promise<Comment[]>;
  isClosed(jobId: number): Promise<boolean>;
  /** What the agent was called with, one call after the other. */
  calls(): { argv: string; prompt: string }[];
  said: string[];
  warned: string[];
  results: FixResult[];
}

/** Changes nothing, and says why. */
export const refuteAll = "say 'I read it.\\nFINDING 1: REFUTED - the list is never empty here'";
/** A commit that a fixer makes. */
export const mend = (name: string) => `echo mended >>${name}; git add ${name}; git commit -qm "mend ${name}"`;

/** A repository, a daemon without socket or workers, and a scripted agent that edits. */
export async function fixScene(shell = refuteAll): Promise<FixScene> {
  const dir = tempDir({ "data/config.toml": 'default_agent = "test"\n' });
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"));
  const client = createDaemonClient("none", async (_, method, path, body) => {
    const response = await daemon.request(
      method,
      path,
      body === undefined ? {} : { body: JSON.stringify(body) },
    );
    return { status: response.status, body: await response.json() };
  });
  const { id: repoId } = await client.registerRepo(repo.path);
  const program = stubReviewer(
    dir.join("agent"),
    `dir='${dir.path}'; export dir
calls=$(ls "$dir" | grep -c '^call-'); PROMPT="$dir/call-$calls.prompt"
cat >"$PROMPT"; echo "$*" >"$dir/argv-$calls"
. "$dir/script"`,
  );
  const script = dir.join("script");
  writeFileSync(script, shell);
  const said: string[] = [];
  const warned: string[] = [];
  const results: FixResult[] = [];
  const checkout = await findCheckout(repo.path);
  if (checkout === undefined) throw new Error("no checkout");
  const services: FixServices = {
    command: "fix",
    checkout,
    client,
    lock: { mark: `fix-test/${crypto.randomUUID()}`, remember: async () => {} },
    agent: async () => ({
      reviewer: claudeCode,
      command: [program],
      requested: "claude-code",
      reasoning: "standard",
    }),
    progress: {
      say: (line) => said.push(line),
      warn: (line) => warned.push(line),
      review() {},
      agent: () => ({ [Symbol.dispose]() {} }),
      output() {},
      result: (result) => results.push(result),
    },
    settings: { credit: {}, maxPromptBytes: 200_000, timeoutMs: 60_000, resume: false },
    env: process.env,
    scratchDirectory: dir.path,
    signal: new AbortController().signal,
    now: () => new Date(),
    pause: async () => {},
  };
  const scene: FixScene = {
    ...{ dir, repo, daemon, client, services, said, warned, results },
    agent: (text) => writeFileSync(script, text),
    async reviewed(message, verdict = "F", findings) {
      const sha = repo.commit(message, { [`${message.replaceAll(" ", "-")}.ts`]: message });
      const branch = repo.git("branch", "--show-current");
      // Straight into the store: a worker would take a second for each.
      return daemon.parts.services.database((store) =>
        storeReview(store, {
          ...{ repoId, gitRef: sha, verdict },
          ...(branch === "" ? {} : { branch }),
          ...(findings === undefined ? {} : { findings }),
        }),
      );
    },
    comments: async (jobId) => (await client.review({ job_id: jobId })).comments,
    isClosed: async (jobId) => (await client.review({ job_id: jobId })).closed,
    calls: () => {
      const count = [...new Bun.Glob("call-*.prompt").scanSync(dir.path)].length;
      return Array.from({ length: count }, (_, index) => ({
        argv: readFileSync(dir.join(`argv-${index}`), "utf8"),
        prompt: readFileSync(dir.join(`call-${index}.prompt`), "utf8"),
      }));
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
  return scene;
}
