import { readdirSync, readFileSync } from "node:fs";
import { killGroup, runProcessSync } from "../../lib/process.ts";
import type { ReviewerProcess } from "../../store/store.ts";

/**
 * When a process started, as its system tells it; undefined when there is no such process. Together with the pid
 * this is an identity: a later process with the same pid has another one, after a reboot too.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform !== "linux") {
    return runProcessSync(["ps", "-o", "lstart=", "-p", String(pid)])?.trim() || undefined;
  }
  const stat = readStat(pid);
  return stat === undefined ? undefined : `${stat.startTicks}@${bootId()}`;
}

/** The pids of all that descends from a process now, in whatever process groups. Linux only; elsewhere none. */
export function descendantsOf(pid: number): ReviewerProcess[] {
  const parents = new Map<number, number[]>();
  for (const stat of allProcesses())
    parents.set(stat.parent, [...(parents.get(stat.parent) ?? []), stat.pid]);
  const found: number[] = [];
  for (
    let next = parents.get(pid) ?? [];
    next.length > 0;
    next = next.flatMap((child) => parents.get(child) ?? [])
  )
    found.push(...next);
  return found.flatMap((child) => {
    const startTime = startTimeOf(child);
    return startTime === undefined ? [] : [{ pid: child, startTime }];
  });
}

/** SIGKILL to those that are still the processes they were. */
export function killRemaining(processes: readonly ReviewerProcess[]): void {
  for (const { pid, startTime } of processes) {
    if (startTimeOf(pid) !== startTime) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended in between.
    }
  }
}

const orphanGraceMs = 2_000;

/**
 * Ends a reviewer that an earlier daemon left behind. `foreign`: the pid belongs to another process by now, and
 * nothing was signalled. When only the leader is gone, the rest of its group is ended where it provably is a
 * reviewer's: by the variable that every reviewer's environment carries.
 */
export async function killReviewerGroup(recorded: ReviewerProcess): Promise<"killed" | "gone" | "foreign"> {
  const { pid, startTime } = recorded;
  const current = isUsable(recorded) ? startTimeOf(pid) : undefined;
  if (current === undefined || current !== startTime) return killReviewerGroupNow(recorded);
  const descendants = descendantsOf(pid);
  killGroup(pid, "SIGTERM");
  const deadline = performance.now() + orphanGraceMs;
  while (isRunning(recorded) && performance.now() < deadline) await Bun.sleep(20);
  killReviewerGroupNow(recorded);
  killRemaining(descendants);
  return "killed";
}

/** The same at once, with SIGKILL and without waiting. */
export function killReviewerGroupNow(recorded: ReviewerProcess): "killed" | "gone" | "foreign" {
  const { pid, startTime } = recorded;
  if (!isUsable(recorded)) return "gone";
  const current = startTimeOf(pid);
  if (current !== undefined && current !== startTime) return "foreign";
  const descendants = current === undefined ? [] : descendantsOf(pid);
  if (current !== undefined) killGroup(pid, "SIGKILL");
  const members = reviewerMembers(pid);
  killRemaining([...descendants, ...members]);
  return current !== undefined || members.length > 0 ? "killed" : "gone";
}

/** 0 and 1 as a group would be our own and everybody's. */
const isUsable = ({ pid, startTime }: ReviewerProcess): boolean =>
  Number.isInteger(pid) && pid > 1 && startTime !== "";

function isRunning({ pid, startTime }: ReviewerProcess): boolean {
  if (startTimeOf(pid) !== startTime) return false;
  return process.platform !== "linux" || readStat(pid)?.state !== "Z";
}

function reviewerMembers(group: number): ReviewerProcess[] {
  return allProcesses()
    .filter((stat) => stat.group === group && isReviewer(stat.pid))
    .map((stat) => ({ pid: stat.pid, startTime: `${stat.startTicks}@${bootId()}` }));
}

function isReviewer(pid: number): boolean {
  try {
    return /(?:^|\0)ROBOREV_(?:REVIEW|FIX)_JOB=/.test(readFileSync(`/proc/${pid}/environ`, "latin1"));
  } catch {
    return false; // gone, or another user's
  }
}

interface Stat {
  pid: number;
  state: string;
  parent: number;
  group: number;
  startTicks: string;
}

function allProcesses(): Stat[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
}

/** See proc_pid_stat(5); the name in parentheses may hold anything, so fields are counted from its end. */
function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined; // no such process
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const startTicks = fields[19];
  if (startTicks === undefined) return undefined;
  return { pid, state: fields[0] ?? "", parent: Number(fields[1]), group: Number(fields[2]), startTicks };
}

let boot: string | undefined;

function bootId(): string {
  boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  return boot;
}
