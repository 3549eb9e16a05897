import { writeFileSync } from "node:fs";
import type { FixJobRequest } from "../../src/daemon/api/requests.ts";
import type { Finding, Job } from "../../src/store/schema.ts";
import { testDaemon } from "../support/daemon.ts";
import { testRepo } from "../support/repo.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const found: Finding[] = [
  { severity: "high", problem: "The total is wrong.", location: "a.txt:1" },
  { severity: "low", problem: "The name is odd.", location: "a.txt:1" },
];

interface FixSceneOptions {
  /** Shell text of the agent, with the prompt in the file `$PROMPT`; none: it is not installed. */
  agent?: string;
  /** Further lines of the user's configuration. */
  config?: string;
  workers?: number;
}

/** A daemon with a repository, a way to have reviews in it, and an agent that fixes. */
export async function fixScene({ agent, config = "", workers = 1 }: FixSceneOptions = {}) {
  const dir = tempDir({ "data/config.toml": "" });
  const program = dir.join("claude");
  if (agent !== undefined) stubReviewer(program, `PROMPT="${dir.join("prompt")}"; cat > "$PROMPT"\n${agent}`);
  const configure = (more: string) =>
    writeFileSync(
      dir.join("data/config.toml"),
      `fix_agent = "claude-code"\nclaude_code_cmd = "${program}"\n${more}`,
    );
  configure(config);
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"), { workers });
  const { store, database } = daemon.parts.services;
  const rootPath = repo.path;
  const { id: repoId } = store.repos.getOrCreate({ rootPath, name: "r", identity: "i" });
  const sha = repo.commit("Sum the cart", { "a.txt": "wrong\n" });
  const job = async (id: number) => (await database((s) => s.jobs.get(id))) as Job;
  return {
    ...{ dir, configure, repo, daemon, store, sha, repoId, program, job },
    /** A finished review of the commit, or of what else is said here. */
    async reviewed(
      more: { gitRef?: string; jobType?: Job["job_type"]; branch?: string; worktreePath?: string } = {},
      findings = found,
    ) {
      await database((s) => s.kv.set("queue_paused", "0"));
      return await database((s) =>
        s.transaction(() => {
          const given = { repoId, gitRef: sha, jobType: "review" as const, branch: "main", ...more };
          const { job } = s.jobs.enqueue({ ...given, agent: "codex", reasoning: "fast" });
          const other = s.jobs
            .list({ status: "queued", limit: 0 })
            .jobs.map(({ id }) => id)
            .filter((id) => id !== job.id);
          s.jobs.claim("w", { except: other });
          const output = "## Review Findings\n\nThe total is wrong.";
          s.jobs.complete(job.id, "w", { agent: "codex", prompt: "p", output, verdict: "F", findings });
          return job.id;
        }),
      );
    },
    async fix(request: FixJobRequest) {
      return (await daemon.post("/api/job/fix", request)) as {
        status: number;
        body: Job & { error: string; code: string };
      };
    },
    async ended(id: number): Promise<Job> {
      return waitFor(`job ${id}`, async () => {
        const now = await job(id);
        const waits = Date.parse(now.retry_not_before ?? "") > Date.now();
        return now.status !== "running" && (now.status !== "queued" || waits) ? now : undefined;
      });
    },
    async patch(id: number) {
      return await daemon.request("GET", `/api/job/patch?job_id=${id}`);
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}
