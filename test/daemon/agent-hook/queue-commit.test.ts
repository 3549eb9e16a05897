import { describe, expect, test } from "bun:test";
import { queueCommit } from "../../../src/daemon/agent-hook/queue-commit.ts";
import type { EnqueueRequest } from "../../../src/daemon/api/requests.ts";
import { resolveCheckout } from "../../../src/git/checkout.ts";
import type { Scope } from "../../../src/reminder/lineage.ts";
import { testRepo } from "../../support/repo.ts";

/** A repository, and what was queued of it. */
function queueing() {
  const repo = testRepo();
  const queued: EnqueueRequest[] = [];
  const outcome = { skipped: false };
  const scope = (): Scope => ({
    worktreeRoot: repo.path,
    trackedRoot: repo.path,
    head: repo.git("rev-parse", "HEAD"),
    branch: repo.git("branch", "--show-current"),
  });
  return {
    ...repo,
    queued,
    outcome,
    queue: (more: Partial<Scope> = {}) =>
      queueCommit(
        { ...scope(), ...more },
        {
          resolveCheckout,
          enqueue: {
            enqueue: async (request) => {
              queued.push(request);
              return (outcome.skipped ? { skipped: true, reason: "excluded" } : {}) as never;
            },
          },
        },
      ),
  };
}

describe("a commit that git's own hooks did not see", () => {
  test("is queued as `post-commit` would have", async () => {
    using repo = queueing();
    expect(await repo.queue()).toBe(true);
    expect(repo.queued).toEqual([
      {
        repo_path: repo.path,
        git_ref: repo.git("rev-parse", "HEAD"),
        branch: "main",
        source: "post_commit",
      },
    ]);
  });

  test("starts nothing when it is not to be reviewed", async () => {
    using repo = queueing();
    repo.outcome.skipped = true;
    expect(await repo.queue()).toBe(false);
  });

  test("is left to the next commit with hooks where branches are reviewed", async () => {
    using repo = queueing();
    repo.commit("configured", { ".roborev.toml": 'post_commit_review = "branch"\n' });
    expect(await repo.queue()).toBe(false);
    expect(repo.queued).toEqual([]);
  });

  test("is none while a rebase has stopped, nor where there is no repository any more", async () => {
    using repo = queueing();
    repo.git("checkout", "-q", "-b", "feature");
    repo.commit("mine", { f: "mine" });
    repo.git("checkout", "-q", "main");
    repo.commit("theirs", { f: "theirs" });
    expect(() => repo.git("rebase", "-q", "main", "feature")).toThrow();
    expect(await repo.queue()).toBe(false);
    expect(await repo.queue({ worktreeRoot: "/nowhere" })).toBe(false);
    expect(repo.queued).toEqual([]);
  });
});
