import { expect } from "bun:test";
import type { HookRequest, HookResponse } from "../../../src/daemon/api/hook-event.ts";
import type { Repo } from "../../../src/store/schema.ts";
import { type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";
import { type FakeReview, storeReview } from "../../support/reviews.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

/** The usual end of a user's turn. */
export const turnEnd = { hook_event_name: "Stop", channel: "block", ends_turn: true } as const;

export interface Scene extends AsyncDisposable {
  dir: TempDir;
  repo: TestRepo;
  daemon: TestDaemon;
  /** 0 until it is registered. */
  repoId: number;
  register(path?: string): Promise<number>;
  /** Failed reviews of HEAD, unless `review` says otherwise. */
  fail(count: number, branch?: string, review?: Partial<FakeReview>): number[];
  close(ids: readonly number[], closed?: boolean): Promise<void>;
  event(event: Partial<HookRequest["event"]>, more?: Partial<HookRequest>): Promise<HookResponse>;
  /** Ends the fix session that a reminder opened, as the agent does. */
  /** `released`: what the daemon must say of it. */
  fixDone(told: HookResponse, released?: boolean): Promise<void>;
  sessions(): Promise<Record<string, { [field: string]: unknown }>>;
}

export interface SceneOptions {
  register?: boolean;
  /** The snapshot that the daemon finds, for a repository at this path. */
  state?(repoPath: string): object;
}

/** A daemon, a repository, and a session whose events it is asked about. */
export async function scene(options: SceneOptions = {}): Promise<Scene> {
  const repo = testRepo();
  const dir = tempDir(options.state && { "agent-hook/state.json": JSON.stringify(options.state(repo.path)) });
  const daemon = await testDaemon(dir.path);
  const s: Scene = {
    dir,
    repo,
    daemon,
    repoId: 0,
    async register(path = repo.path) {
      const { body } = await daemon.post("/api/repos/register", { repo_path: path });
      const { id } = body as Repo;
      if (path === repo.path) s.repoId = id;
      return id;
    },
    fail: (count, branch = "main", review = {}) =>
      Array.from({ length: count }, () =>
        storeReview(daemon.parts.services.store, {
          repoId: s.repoId,
          gitRef: review.gitRef ?? repo.git("rev-parse", "HEAD"),
          branch,
          ...review,
        }),
      ),
    async close(ids, closed = true) {
      for (const id of ids)
        expect((await daemon.post("/api/review/close", { job_id: id, closed })).status).toBe(200);
    },
    async event(event, more = {}) {
      const body = {
        agent: "claude",
        event: { session_id: "s1", cwd: repo.path, ...turnEnd, ...event },
        ...more,
      };
      const answer = await daemon.post("/api/agent-hook/event", body);
      expect(answer.status).toBe(200);
      return answer.body;
    },
    async fixDone({ fix_session_id }, released = true) {
      expect(await daemon.post("/api/agent-hook/fix-done", { fix_session_id })).toEqual({
        status: 200,
        body: { ok: true, released } as never,
      });
    },
    sessions: async () =>
      ((await daemon.get("/api/agent-hook/sessions")).body as { sessions: never }).sessions,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
  if (options.register !== false) await s.register();
  return s;
}
