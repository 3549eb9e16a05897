import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { tryLock } from "../../fs/lock.ts";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import type { ReviewerProcess } from "../../store/store.ts";
import { killMarked } from "../agents/marked-processes.ts";
import { killReviewerGroup } from "../agents/process-identity.ts";

/** The right to let an agent edit a working tree. It ends with this process, however that ends. */
export interface WorktreeLock {
  /** Mark of everything that is started under it. */
  mark: string;
  /** An earlier holder was killed; what its agent still did has been ended. */
  wasKilled: boolean;
  /** So that a next holder can end the agent if this process is killed. */
  remember(agent: ReviewerProcess): Promise<void>;
  release(): Promise<void>;
}

interface Holder {
  mark: string;
  agent?: ReviewerProcess;
}

/** Takes the lock of a working tree, or throws E_FIX_RUNNING. `directory` is where locks lie. */
export async function lockWorktree(directory: string, worktreeRoot: string): Promise<WorktreeLock> {
  await ensurePrivateDirectory(directory);
  const name = new Bun.CryptoHasher("sha256").update(worktreeRoot).digest("hex").slice(0, 24);
  const lock = tryLock(join(directory, `${name}.lock.db`));
  if (lock === undefined) {
    throw new RoborevError(`another roborev fix is at work in ${singleLine(worktreeRoot)}`, {
      code: "E_FIX_RUNNING",
      hint: "Wait until it has ended, or end it.",
    });
  }
  const record = join(directory, `${name}.json`);
  const holder: Holder = { mark: `fix-${name}/${crypto.randomUUID().slice(0, 8)}` };
  try {
    const killed = await readHolder(record);
    if (killed !== undefined) await endOrphans(killed);
    await writeFileAtomic(record, JSON.stringify(holder));
    return {
      mark: holder.mark,
      wasKilled: killed !== undefined,
      remember: (agent) => writeFileAtomic(record, JSON.stringify({ ...holder, agent })),
      async release() {
        await rm(record, { force: true });
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function endOrphans({ mark, agent }: Holder): Promise<void> {
  if (agent !== undefined) await killReviewerGroup(agent);
  killMarked(mark);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { mark, agent } = JSON.parse(await readFile(path, "utf8"));
    const isAgent = typeof agent?.pid === "number" && typeof agent?.startTime === "string";
    return typeof mark === "string" && mark.startsWith("fix-")
      ? { mark, ...(isAgent ? { agent } : {}) }
      : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
