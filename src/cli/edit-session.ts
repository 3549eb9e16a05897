import { patientClient } from "../client/patience.ts";
import type { Checkout } from "../git/checkout.ts";
import type { ApplyClient } from "../review/background-fix/apply-fix.ts";
import type { FixProgress, FixServices } from "../review/fix/services.ts";
import type { WorktreeLock } from "../review/fix/worktree-lock.ts";
import type { Job } from "../store/schema.ts";
import type { Context } from "./command.ts";
import { connect } from "./connect.ts";
import { endSignals } from "./end-signals.ts";
import { waitVisibly } from "./job-wait.ts";

/** What a command that lets an agent edit a working tree has at hand as long as nobody else does so there. */
export interface EditSession
  extends Pick<
    FixServices,
    "checkout" | "progress" | "signal" | "env" | "scratchDirectory" | "now" | "pause"
  > {
  client: ApplyClient;
  lock: WorktreeLock;
  waitFor(jobId: number): Promise<Job>;
}

/** Runs `work` with the lock of the working tree held, a client that outlives daemons, and a signal that ends it all. */
export async function withEditSession<T>(
  context: Context,
  { checkout, progress }: { checkout: Checkout; progress: FixProgress },
  work: (session: EditSession) => Promise<T>,
): Promise<T> {
  const { requireReady } = await import("../review/fix/ready.ts");
  const { lockWorktree } = await import("../review/fix/worktree-lock.ts");
  using ending = endSignals(context.signal);
  const { signal } = ending;
  const lock = await lockWorktree(context.paths().fixes, checkout);
  try {
    if (lock.wasKilled) {
      progress.warn("An earlier run was killed here. What its agent still did has been ended.");
      await requireReady(checkout); // it may have worked until now
    }
    const client = patientClient(await connect(context), {
      revive: () => connect(context),
      onLost: () => progress.say("The daemon does not answer. Waiting for it."),
      signal,
    });
    return await work({
      ...{ checkout, client, lock, progress, signal },
      env: context.env,
      scratchDirectory: context.paths().fixes,
      now: context.now,
      pause: (ms) => Bun.sleep(ms),
      waitFor: (jobId) => waitVisibly(context.out, client, jobId, signal),
    });
  } finally {
    await lock.release();
  }
}
