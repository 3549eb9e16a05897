import { findCheckout } from "../../../src/git/checkout.ts";
import {
  type Applied,
  type ApplyServices,
  applyFix,
  checkFix,
} from "../../../src/review/background-fix/apply-fix.ts";
import { findApplyTarget } from "../../../src/review/background-fix/apply-target.ts";
import { lockWorktree } from "../../../src/review/fix/worktree-lock.ts";
import type { Finding } from "../../../src/store/schema.ts";
import { type FixScene, fixScene } from "../fix/scene.ts";

export interface ApplyScene extends Omit<FixScene, "services"> {
  services: ApplyServices;
  /** A finished background fix of a review that leads from HEAD to these contents. */
  fixOf(parentId: number, files: Record<string, string>, answer?: string): Promise<number>;
  check(id: number): ReturnType<typeof checkFix>;
  /** As `roborev fix --apply` does it, called in the scene's repository. */
  apply(id: number, more?: Partial<ApplyServices>): Promise<Applied>;
}

export const findings: Finding[] = [
  { severity: "high", problem: "The total is wrong." },
  { severity: "low", problem: "The name is odd." },
];
export const answered =
  "The total is summed up.\n\nFINDING 1: FIXED - the sum.\nFINDING 2: FIXED - it has another name.";

/** Reviews and background fixes of them in a repository, without workers. */
export async function applyScene(): Promise<ApplyScene> {
  const scene = await fixScene();
  const { repo, daemon, dir } = scene;
  const { store, database } = daemon.parts.services;
  const services: ApplyServices = {
    ...scene.services,
    client: {
      ...scene.client,
      async patch(id) {
        const response = await daemon.request("GET", `/api/job/patch?job_id=${id}`);
        if (!response.ok) throw new Error(`patch: ${response.status}`);
        return await response.bytes();
      },
    },
    lock: { mark: "fix-test/x", remember: async () => {}, trees: dir.join("trees") },
  };
  return {
    ...scene,
    services,
    async fixOf(parentId, files, answer = answered) {
      for (const [name, text] of Object.entries(files)) repo.write(name, text);
      repo.git("add", "-A");
      const patch = Bun.spawnSync(["git", "diff", "--cached", "--binary", "--full-index"], {
        cwd: repo.path,
      }).stdout;
      repo.git("reset", "-q", "--hard");
      return await database(() =>
        store.transaction(() => {
          const parent = store.jobs.get(parentId);
          const { job } = store.jobs.enqueue({
            ...{ repoId: parent?.repo_id ?? 0, gitRef: `fix #${parentId}`, jobType: "fix" },
            ...{ agent: "codex", reasoning: "standard", fix: { parentJobId: parentId, prompt: "p" } },
            ...(parent?.branch === undefined ? {} : { branch: parent.branch }),
          });
          store.jobs.claim("w", {
            except: store.jobs
              .list({ limit: 0 })
              .jobs.map(({ id }) => id)
              .filter((id) => id !== job.id),
          });
          store.jobs.complete(job.id, "w", {
            agent: "codex",
            prompt: "p",
            output: answer,
            findings: [],
            patch,
          });
          return job.id;
        }),
      );
    },
    async check(id) {
      return await checkFix(services, await findApplyTarget(scene.client, id));
    },
    async apply(id, more = {}) {
      const here = await findCheckout(repo.path);
      const target = await findApplyTarget(scene.client, id, here);
      const lock = await lockWorktree(dir.join("fixes"), target.checkout);
      try {
        return await applyFix({ ...services, checkout: target.checkout, lock, ...more }, target);
      } finally {
        await lock.release();
      }
    },
  };
}
