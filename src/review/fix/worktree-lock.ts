import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../../fs/atomic.ts";
import { tryLock } from "../../fs/lock.ts";
import { ensurePrivateDirectory } from "../../fs/private.ts";
import { removeTree } from "../../fs/remove-tree.ts";
import type { Checkout } from "../../git/checkout.ts";
import { errorCode, RoborevError } from "../../lib/errors.ts";
import { singleLine } from "../../lib/text.ts";
import type { ReviewerProcess } from "../../store/store.ts";
import { killMarked } from "../agents/marked-processes.ts";
import { killReviewerGroup } from "../agents/process-identity.ts";
import { pruneLeftWorktrees } from "../workspace.ts";

/** The right to let an agent edit a working tree. It ends with this process, however that ends. */
export interface WorktreeLock {
  /** Mark of everything that is started under it. */
  mark: string;
  /** Directory for worktrees that an agent works in and the like, gone with the lock. Its holder makes it. */
  trees: string;
  /** An earlier holder was killed; what its agent still did has been ended, and its worktree is gone. */
  wasKilled: boolean;
  /** So that a next holder can end the agent if this process is killed. */
  remember(agent: ReviewerProcess): Promise<void>;
  release(): Promise<void>;
}

interface Holder {
  mark: string;
  /** Of the repository. */
  mainRoot: string;
  agent?: ReviewerProcess;
}

/** Takes the lock of a working tree, or throws E_FIX_RUNNING. `directory` is where locks lie. */
export async function lockWorktree(
  directory: string,
  { worktreeRoot, mainRoot }: Pick<Checkout, "worktreeRoot" | "mainRoot">,
): Promise<WorktreeLock> {
  await ensurePrivateDirectory(directory);
  const name = new Bun.CryptoHasher("sha256").update(worktreeRoot).digest("hex").slice(0, 24);
  const lock = tryLock(join(directory, `${name}.lock.db`));
  if (lock === undefined) {
    throw new RoborevError(`another roborev fix or refine is at work in ${singleLine(worktreeRoot)}`, {
      code: "E_FIX_RUNNING",
      hint: "Wait until it has ended, or end it.",
    });
  }
  const record = recordOf(directory, name);
  const trees = treesOf(directory, name);
  const holder: Holder = { mark: `fix-${name}/${crypto.randomUUID().slice(0, 8)}`, mainRoot };
  try {
    const wasKilled = await tidyUp(directory, name);
    await writeFileAtomic(record, JSON.stringify(holder));
    return {
      mark: holder.mark,
      trees,
      wasKilled,
      remember: (agent) => writeFileAtomic(record, JSON.stringify({ ...holder, agent })),
      async release() {
        await removeTree(trees);
        await rm(record, { force: true });
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes what holders left that were killed and have had no successor. What is at work goes on. */
export async function tidyUpLocks(directory: string, onError: (error: unknown) => void): Promise<void> {
  const files = await readdir(directory).catch(() => [] as string[]); // nobody has fixed anything yet
  for (const file of files.filter((name) => name.endsWith(".json"))) {
    const name = file.slice(0, -".json".length);
    const lock = tryLock(join(directory, `${name}.lock.db`));
    if (lock === undefined) continue;
    try {
      await tidyUp(directory, name);
    } catch (error) {
      onError(error);
    } finally {
      lock.release();
    }
  }
}

const recordOf = (directory: string, name: string) => join(directory, `${name}.json`);
const treesOf = (directory: string, name: string) => join(directory, `${name}.trees`);

/** Ends what a holder left that was killed, and removes its worktree; whether there was such a holder. */
async function tidyUp(directory: string, name: string): Promise<boolean> {
  const killed = await readHolder(recordOf(directory, name));
  if (killed === undefined) return false;
  await endOrphans(killed);
  const trees = treesOf(directory, name);
  const known = existsSync(killed.mainRoot) ? [killed.mainRoot] : [];
  if (existsSync(trees)) await pruneLeftWorktrees(trees, { interrupted: known, known: [] });
  await removeTree(trees);
  await rm(recordOf(directory, name), { force: true });
  return true;
}

async function endOrphans({ mark, agent }: Holder): Promise<void> {
  if (agent !== undefined) await killReviewerGroup(agent);
  killMarked(mark);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { mark, agent, mainRoot } = JSON.parse(await readFile(path, "utf8"));
    const isAgent = typeof agent?.pid === "number" && typeof agent?.startTime === "string";
    return typeof mark === "string" && mark.startsWith("fix-")
      ? { mark, mainRoot: String(mainRoot ?? ""), ...(isAgent ? { agent } : {}) }
      : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
