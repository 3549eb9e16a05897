import { expect } from "bun:test";
import type { HookRequest, HookResponse } from "../../../src/daemon/api/hook-event.ts";
import type { Repo } from "../../../src/store/schema.ts";
import { type TestDaemon, testDaemon } from "../../support/daemon.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";
import { storeReview } from "../../support/reviews.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

/** The usual end of a user's turn. */
export const turnEnd = { hook_event_name: "Stop", channel: "block", ends_turn: true } as const;

export interface Scene extends AsyncDisposable {
  dir: TempDir;
  repo: TestRepo;
  daemon: TestDaemon;
  repoId: number;
  fail(count: number, branch?: string): number[];
  event(event: Partial<HookRequest["event"]>, more?: Partial<HookRequest>): Promise<HookResponse>;
  /** Ends the fix session that a reminder opened, as the agent does. */
  fixDone(told: HookResponse): Promise<void>;
  sessions(): Promise<Record<string, { [field: string]: unknown }>>;
}

/** A daemon, a repository, and a session whose events it is asked about. */
export async function scene(options: { register?: boolean } = {}): Promise<Scene> {
  const dir = tempDir();
  const repo = testRepo();
  const daemon = await testDaemon(dir.path);
  const registered =
    options.register === false
      ? undefined
      : ((await daemon.post("/api/repos/register", { repo_path: repo.path })).body as Repo);
  return {
    dir,
    repo,
    daemon,
    repoId: registered?.id ?? 0,
    fail: (count, branch = "main") =>
      Array.from({ length: count }, () =>
        storeReview(daemon.parts.services.store, {
          repoId: registered?.id ?? 0,
          gitRef: repo.git("rev-parse", "HEAD"),
          branch,
        }),
      ),
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
    async fixDone({ fix_session_id }) {
      expect(await daemon.post("/api/agent-hook/fix-done", { fix_session_id })).toEqual({
        status: 200,
        body: { ok: true } as never,
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
}
