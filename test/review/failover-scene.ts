import { readFileSync, writeFileSync } from "node:fs";
import { createConfigCache } from "../../src/config/load.ts";
import { dataPaths } from "../../src/config/paths.ts";
import type { ReviewSettings } from "../../src/config/resolve.ts";
import { ensureDataDirectory } from "../../src/fs/private.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openJobLog } from "../../src/review/job-log.ts";
import { gatherMaterial } from "../../src/review/material.ts";
import { createJobRunner } from "../../src/review/run-job.ts";
import type { NewJob } from "../../src/store/job-input.ts";
import type { Job } from "../../src/store/schema.ts";
import { testRepo } from "../support/repo.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";
import { engineScene } from "./engine-scene.ts";

/** What a review by the backup ends with. */
export const pass = "say 'No issues found. I read a.txt.'";

/** A message with which Codex gives up. */
export const codexSays = (message: string): string =>
  `printf '%s\\n' '${JSON.stringify({ type: "turn.failed", error: { message } }).replaceAll("'", "\\u0027")}'; exit 1`;

interface SceneOptions {
  /** Shell text of the first reviewer; absent: it is not installed. */
  codex?: string;
  /** The same of the one that may be the backup. */
  claude?: string;
  settings?: Partial<ReviewSettings>;
  /** Further lines of the user's configuration. */
  config?: string;
}

/** The backup as the configuration names it. */
export const claudeAsBackup: Partial<ReviewSettings> = {
  backup: { agent: { value: "claude-code", origin: "global", key: "default_backup_agent" } },
};

/** Codex is the reviewer of every job, on a real repository and store; both programs write down how they were called. */
export async function failoverScene({ codex, claude = pass, settings = {}, config = "" }: SceneOptions) {
  const dir = tempDir({ calls: "" });
  const repo = testRepo();
  const logged = (name: string, shell: string) =>
    `echo "${name} $*" | tr '\\n' ' ' >> "${dir.join("calls")}"; echo >> "${dir.join("calls")}"; cat >/dev/null\n${shell}`;
  stubReviewer(dir.join("claude"), logged("claude", claude));
  if (codex !== undefined) codexStub(dir.join("codex"), logged("codex", codex));
  const paths = dataPaths(dir.join("data"));
  await ensureDataDirectory(paths.dataDir);
  writeFileSync(
    paths.config,
    `codex_cmd = "${dir.join("codex")}"\nclaude_code_cmd = "${dir.join("claude")}"\n${config}`,
  );
  let broken: Error | undefined;
  const engine = await engineScene((job, turn) => runner(job, turn), 1);
  const { store } = engine;
  const runner = createJobRunner(
    {
      paths,
      config: createConfigCache(),
      configPath: paths.config,
      clock: systemClock,
      database: async (work) => work(store),
      env: process.env,
      openLog: ({ id }) =>
        openJobLog(paths.jobLogs, id, {
          onError(error) {
            throw error;
          },
        }),
      onWarning() {},
      onStarted() {},
    },
    async (...given) => {
      if (broken) throw broken;
      const material = await gatherMaterial(...given);
      return { ...material, settings: { ...material.settings, ...settings } };
    },
  );
  const { id: repoId } = store.repos.getOrCreate({ rootPath: repo.path, name: "r", identity: "i" });
  const sha = repo.commit("change", { "a.txt": "fine\n" });
  return {
    store,
    repo,
    /** How the programs were called, in order. */
    calls: () => readFileSync(dir.join("calls"), "utf8").split("\n").filter(Boolean),
    callers: () =>
      readFileSync(dir.join("calls"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => line.split(" ")[0]),
    breakGit: (error: Error) => {
      broken = error;
    },
    /** A job that has used up this many retries. */
    enqueue({ retries = 0, ...changes }: Partial<NewJob> & { retries?: number } = {}): number {
      const { job } = store.jobs.enqueue({
        repoId,
        gitRef: sha,
        jobType: "review",
        agent: "codex",
        reasoning: "fast",
        ...changes,
      });
      for (let n = 0; n < retries; n++) {
        store.jobs.claim("w");
        store.jobs.retry(job.id, "w", "x", new Date(0));
      }
      return job.id;
    },
    /** Runs the queue until this job has ended or waits for its next try. */
    async settled(id: number): Promise<Job> {
      engine.engine.start();
      engine.engine.wake();
      return waitFor(`job ${id}`, () => {
        const job = store.jobs.get(id);
        if (job?.status === "running") return undefined;
        const waits = Date.parse(job?.retry_not_before ?? "") > Date.now();
        return job?.status !== "queued" || waits ? job : undefined;
      });
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** A program that roborev takes for Codex. */
function codexStub(path: string, shell: string): void {
  writeFileSync(
    path,
    `#!/bin/sh
case " $* " in *" --help "*) printf '  --json\\n  --sandbox <x>\\n  --config <x>\\n  --dangerously-bypass-approvals-and-sandbox\\n'; exit 0;; esac
${shell}
`,
    { mode: 0o755 },
  );
}
