import { open, readFile, rename, unlink } from "node:fs/promises";
import type { Clock } from "../lib/clock.ts";
import { errorCode, neverReviewable, RoborevError } from "../lib/errors.ts";
import type { Enqueuer } from "../review/enqueue.ts";
import type { EnqueueRequest } from "./api/requests.ts";

/** A commit whose `post-commit` found no daemon in time. One JSON line each. */
export interface MissedCommit {
  ts: string;
  repo: string;
  sha: string;
  branch?: string;
}

const intervalMs = 60_000;
/** What is in memory only would be lost with the daemon: it is tried more often. */
const rememberedIntervalMs = 5_000;
const maxAgeMs = 24 * 3_600_000;
const maxRemembered = 1000;

/** Enqueues what `post-commit` had to leave behind, at start and every minute. */
export class MissedCommits {
  private timer: ReturnType<typeof setInterval> | undefined;
  private soon: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;
  private remembered: MissedCommit[] = [];
  private reading: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly enqueuer: Pick<Enqueuer, "enqueue">,
    private readonly onEnqueued: () => void,
    private readonly onError: (component: string, error: unknown) => void,
    private readonly soonMs: number = rememberedIntervalMs,
  ) {}

  start(): void {
    this.tryAgain();
    this.timer = setInterval(this.tryAgain, intervalMs);
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
    clearTimeout(this.soon);
  }

  private readonly tryAgain = (): void => {
    this.pickUp().catch((error) => this.onError("missed-commits", error));
  };

  /**
   * Keeps in memory a commit that a failing database refused: on a full disk, `post-commit` cannot leave it in the
   * file either.
   */
  remember({ repo_path: repo, git_ref: sha = "", branch, source }: EnqueueRequest, error: unknown): void {
    const isDatabase = error instanceof RoborevError && error.code === "E_DATABASE";
    if (!isDatabase || source !== "post_commit" || this.remembered.length >= maxRemembered) return;
    const ts = this.clock.now().toISOString();
    this.remembered.push({ ts, repo, sha, ...(branch === undefined ? {} : { branch }) });
    this.trySoon();
  }

  private trySoon(): void {
    clearTimeout(this.soon);
    if (this.isStopped) return;
    this.soon = setTimeout(this.tryAgain, this.soonMs);
  }

  /** Works through the file once. What could not be enqueued for want of the database is kept for the next time. */
  async pickUp(): Promise<void> {
    this.reading ??= this.work().finally(() => {
      this.reading = undefined;
      // Only now: whoever asks while it works is given what it is at.
      if (this.remembered.length > 0) this.trySoon();
    });
    return this.reading;
  }

  private async work(): Promise<void> {
    const kept = this.remembered;
    this.remembered = [];
    // Whoever asked for them was told already.
    for (const commit of kept) if (!(await this.enqueue(commit, () => {}))) this.remembered.push(commit);
    // Set aside first: `post-commit` may append to a new file meanwhile. One left from a crash is worked on before it.
    const aside = `${this.path}.reading`;
    const left = await readIfThere(aside);
    if (left !== undefined) await this.workOff(left, aside);
    const text = await this.setAside(aside);
    if (text !== undefined) await this.workOff(text, aside);
  }

  private async workOff(text: string, aside: string): Promise<void> {
    const again: string[] = [];
    for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
      const commit = tryParse(line);
      if (!commit || this.clock.now().getTime() - Date.parse(commit.ts) > maxAgeMs) continue;
      if (!(await this.enqueue(commit))) again.push(line);
    }
    if (again.length > 0) await append(this.path, `${again.join("\n")}\n`);
    await unlink(aside);
  }

  private async setAside(aside: string): Promise<string | undefined> {
    try {
      await rename(this.path, aside);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
    return readIfThere(aside);
  }

  /** false: try again later. A commit that can never be reviewed (gone, excluded, a duplicate) is done with. */
  private async enqueue(commit: MissedCommit, onError = this.onError): Promise<boolean> {
    try {
      const outcome = await this.enqueuer.enqueue({
        repo_path: commit.repo,
        git_ref: commit.sha,
        source: "post_commit",
        ...(commit.branch === undefined ? {} : { branch: commit.branch }),
      });
      if (!("skipped" in outcome)) this.onEnqueued();
      return true;
    } catch (error) {
      onError("missed-commits", error);
      return error instanceof RoborevError && neverReviewable.includes(error.code);
    }
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function append(path: string, text: string): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function tryParse(line: string): MissedCommit | undefined {
  try {
    const value = JSON.parse(line) as Partial<MissedCommit>;
    const whole =
      typeof value.repo === "string" &&
      /^[0-9a-f]{40,64}$/.test(value.sha ?? "") &&
      !Number.isNaN(Date.parse(value.ts ?? ""));
    return whole ? (value as MissedCommit) : undefined;
  } catch {
    return undefined; // a torn line: the process was killed while it wrote it, the commit can be reviewed by hand
  }
}
