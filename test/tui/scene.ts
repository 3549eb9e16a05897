import type { DaemonStatus, ReviewResponse } from "../../src/daemon/api/responses.ts";
import type { Job } from "../../src/store/schema.ts";
import { hiddenAtFirst } from "../../src/tui/columns.ts";
import type { Effect, KeyPress, Message } from "../../src/tui/message.ts";
import type { Model } from "../../src/tui/model.ts";
import { type Beginning, begin, update } from "../../src/tui/update/update.ts";
import { frame } from "../../src/tui/view/frame.ts";

export const nowMs = Date.parse("2026-01-02T15:04:05.000Z");
export const place = { repo: "/src/shop", worktree: "/src/shop", branch: "main" };

export function job(id: number, more: Partial<Job> = {}): Job {
  return {
    id,
    uuid: `uuid-${id}`,
    repo_id: 1,
    git_ref: id.toString(16).padStart(40, "0"),
    branch: "main",
    agent: "codex",
    reasoning: "thorough",
    job_type: "review",
    agentic: false,
    prompt_prebuilt: false,
    status: "done",
    enqueued_at: "2026-01-02T15:00:00.000Z",
    started_at: "2026-01-02T15:00:01.000Z",
    finished_at: "2026-01-02T15:00:43.000Z",
    retry_count: 0,
    repo_path: place.repo,
    repo_name: "shop",
    commit_subject: `Change number ${id}`,
    closed: false,
    verdict: "F",
    ...more,
  };
}

/** Newest first, as the daemon lists them. */
export const jobs = (count: number, first = count): Job[] =>
  Array.from({ length: count }, (_, index) => job(first - index));

export function status(more: Partial<DaemonStatus> = {}): DaemonStatus {
  return {
    version: "1.0.0",
    pid: 1,
    uptime_seconds: 1,
    socket: "/s",
    data_dir: "/d",
    queued_jobs: 0,
    running_jobs: 0,
    completed_jobs: 0,
    failed_jobs: 0,
    canceled_jobs: 0,
    skipped_jobs: 0,
    applied_jobs: 0,
    rebased_jobs: 0,
    active_workers: 1,
    max_workers: 4,
    queue_paused: false,
    draining: false,
    agent_cooldowns: [],
    healthy: true,
    components: [],
    config_reload_counter: 0,
    active_snoozes: [],
    recent_errors: [],
    ...more,
  };
}

export function review(of: Job, output: string, more: Partial<ReviewResponse> = {}): ReviewResponse {
  return {
    id: of.id,
    job_id: of.id,
    agent: of.agent,
    prompt: "",
    output,
    closed: of.closed ?? false,
    created_at: "2026-01-02T15:00:43.000Z",
    job: of,
    comments: [],
    ...more,
  };
}

export interface Played {
  model: Model;
  /** All that was asked of the world, the beginning's included. */
  effects: Effect[];
  send(...messages: Message[]): Played;
  /** Keys by their name, else what they type; `C-c` with the control key. */
  press(...keys: string[]): Played;
  lines(): string[];
}

/** Keys that have a name. */
export const keyNames = [
  "up",
  "down",
  "left",
  "right",
  "pageUp",
  "pageDown",
  "home",
  "end",
  "enter",
  "escape",
  "tab",
  "backspace",
];

export function keyOf(key: string): KeyPress {
  if (keyNames.includes(key)) return { name: key as KeyPress["name"], text: "", ctrl: false };
  return key.startsWith("C-") && key.length === 3
    ? { name: "text", text: key.slice(2), ctrl: true }
    : { name: "text", text: key, ctrl: false };
}

/** The program, played without a terminal and without a daemon. */
export function play(beginning: Partial<Beginning> = {}): Played {
  const [model, effects] = begin({
    size: { columns: 100, rows: 24 },
    palette: { colour: false, isLight: false },
    nowMs,
    version: "1.0.0",
    place,
    filters: [],
    locked: [],
    hidden: hiddenAtFirst,
    order: [],
    staysOpen: false,
    ...beginning,
  });
  return playing(model, [...effects]);
}

function playing(model: Model, effects: Effect[]): Played {
  const send = (...messages: Message[]): Played => {
    let next = model;
    const asked = [...effects];
    for (const message of messages) {
      const [after, more] = update(next, message);
      next = after;
      asked.push(...more);
    }
    return playing(next, asked);
  };
  return {
    model,
    effects,
    send,
    press: (...keys) => send(...keys.map((key): Message => ({ kind: "key", key: keyOf(key) }))),
    lines: () => frame(model),
  };
}

/** The same, connected, with these jobs in its list. */
export function playWith(list: Job[], beginning: Partial<Beginning> = {}, hasMore = false): Played {
  const started = play(beginning);
  return started.send(
    { kind: "link", link: "live" },
    { kind: "status", status: status() },
    page(started, list, hasMore),
  );
}

/** The daemon's answer to the latest question for the list. */
export function page({ model }: Played, list: Job[], hasMore = false, isMore = false): Message {
  const stats = { done: list.length, closed: 0, open: list.length };
  return {
    kind: "jobs",
    generation: model.generation,
    isMore,
    page: { jobs: list, has_more: hasMore, stats },
  };
}
