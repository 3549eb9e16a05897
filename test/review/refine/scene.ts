import { findCheckout } from "../../../src/git/checkout.ts";
import { lockWorktree } from "../../../src/review/fix/worktree-lock.ts";
import { refineBranch } from "../../../src/review/refine/run-refine.ts";
import { refineScope } from "../../../src/review/refine/scope.ts";
import type { RefineRun, RefineServices } from "../../../src/review/refine/services.ts";
import type { Finding, Job } from "../../../src/store/schema.ts";
import { completeAs } from "../../support/reviews.ts";
import { type FixScene, fixScene } from "../fix/scene.ts";

export interface RefineScene extends Omit<FixScene, "services"> {
  services: RefineServices;
  /** What a reviewer finds from now on; by default nothing. */
  review(find: (job: Job) => Finding[]): void;
  refine(more?: Partial<RefineServices>): Promise<RefineRun>;
}

/** Edits a file, and accounts for the finding. */
export const edit = (name: string, text = "mended") =>
  `echo "${text}" >>${name}; say 'Changes:\\n- mended ${name}\\nFINDING 1: FIXED - the list is checked'`;

/** A branch `feature` in a repository, a daemon without workers, an agent, and a reviewer that answers when it is waited for. */
export async function refineScene(shell: string): Promise<RefineScene> {
  const scene = await fixScene(shell);
  const { repo, daemon } = scene;
  repo.git("switch", "-q", "-c", "feature");
  const found = await findCheckout(repo.path);
  if (found === undefined) throw new Error("no checkout");
  const checkout = found;
  const lock = await lockWorktree(scene.dir.join("fixes"), checkout);
  let find: (job: Job) => Finding[] = () => [];
  const services: RefineServices = {
    ...scene.services,
    ...{ command: "refine", checkout, lock, maxIterations: 10, guidelines: "" },
    waitFor: (id) =>
      daemon.parts.services.database((store) => {
        const job = store.jobs.get(id);
        if (job === undefined) throw new Error(`no job ${id}`);
        if (job.status !== "queued") return job;
        for (let claimed = store.jobs.claim("worker"); claimed?.id !== id; )
          claimed = store.jobs.claim("worker");
        const findings = find(job);
        completeAs(store, id, "worker", findings.length === 0 ? "P" : "F", findings);
        return store.jobs.get(id) as Job;
      }),
  };
  return {
    ...scene,
    services,
    review: (given) => {
      find = given;
    },
    async refine(more = {}) {
      const now = await findCheckout(repo.path);
      const scope = now && (await refineScope(now, undefined));
      if (now === undefined || scope === undefined) throw new Error("no commits");
      return refineBranch({ ...services, checkout: now, ...more }, scope);
    },
    async [Symbol.asyncDispose]() {
      await lock.release();
      await scene[Symbol.asyncDispose]();
    },
  };
}
