import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { JobEvent, JobEventType } from "../../../src/daemon/api/event.ts";
import { testDaemon } from "../../support/daemon.ts";
import { testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";

/** A daemon without workers whose hooks write into `out`, a repository, and a way to have something happen. */
export async function hookScene(hooks: (out: string) => string) {
  const dir = tempDir({ "out/.keep": "" });
  mkdirSync(dir.join("data"), { mode: 0o700 });
  const configure = (text: string) => writeFileSync(dir.join("data/config.toml"), text);
  configure(hooks(dir.join("out")));
  const repo = testRepo();
  const daemon = await testDaemon(dir.join("data"));
  await daemon.post("/api/repos/register", { repo_path: repo.path });
  let job = 0;
  return {
    dir,
    repo,
    daemon,
    configure,
    publish(type: JobEventType, more: Partial<JobEvent> = {}): number {
      job++;
      daemon.parts.services.events.publish({
        type,
        ts: "2026-01-01T00:00:00.000Z",
        job_id: job,
        job_uuid: `u-${job}`,
        repo: repo.path,
        repo_name: "shop",
        sha: "a".repeat(40),
        agent: "test",
        ...more,
      });
      return job;
    },
    /** Content of a file that a hook writes, once it is whole. */
    written: (name: string) =>
      waitFor(name, () => {
        const path = dir.join("out", name);
        const text = existsSync(path) ? readFileSync(path, "utf8") : "";
        return text.endsWith("\n") ? text : undefined;
      }),
    files: () => readdirSync(dir.join("out")).filter((name) => name !== ".keep"),
    errors: () => daemon.errors.recent().map(({ component, message }) => `${component}: ${message}`),
    async trust(path = repo.path) {
      const { digest } = (await daemon.get(`/api/repos/hooks?path=${path}`)).body as { digest: string };
      return (await daemon.post("/api/repos/trust", { repo_path: path, digest })).status;
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** A hook that writes `text`, by default the type, into a file named after the job. */
export const writes = (out: string, event: string, more = "") =>
  `[[hooks]]\nevent = "${event}"\ncommand = '''echo {event} > ${out}/{job_id}.new; mv ${out}/{job_id}.new ${out}/{job_id}'''\n${more}`;
