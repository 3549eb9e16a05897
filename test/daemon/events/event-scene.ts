import { writeFileSync } from "node:fs";
import type { Job } from "../../../src/store/schema.ts";
import { testDaemon } from "../../support/daemon.ts";
import { eventsOf } from "../../support/events.ts";
import { testRepo } from "../../support/repo.ts";
import { stubReviewer } from "../../support/stub-reviewer.ts";
import { tempDir } from "../../support/temp.ts";

/** What a reviewer does to pass. */
export const passes = "say 'No issues found.'";
/** What it does to fail a change, in words that a shell could take for its own. */
export const fails = `say "- High: it's \\$(odd) in a.ts"`;

/** A daemon with one worker, or none, whose events are kept. */
export async function eventScene(options: { config?: string; reviewer?: string; workers?: number } = {}) {
  const dir = tempDir({ "data/config.toml": "" });
  const program = stubReviewer(dir.join("claude"), options.reviewer ?? passes);
  const config = `default_agent = "claude-code"\nclaude_code_cmd = "${program}"\n${options.config ?? ""}`;
  writeFileSync(dir.join("data/config.toml"), config);
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"), { workers: options.workers ?? 1 });
  const events = eventsOf(daemon.parts.services.events);
  return {
    dir,
    repo,
    daemon,
    events,
    store: daemon.parts.services.store,
    async enqueue(request: object = {}): Promise<number> {
      const { body } = await daemon.post("/api/enqueue", { repo_path: repo.path, ...request });
      return (body as Job).id;
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}
