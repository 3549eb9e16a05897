import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { EnqueueRequest } from "../../src/daemon/api/requests.ts";
import { MissedCommits } from "../../src/daemon/missed-commits.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { RoborevError } from "../../src/lib/errors.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

const sha = (digit: string) => digit.repeat(40);
const line = (fields: Record<string, unknown>) =>
  `${JSON.stringify({ ts: new Date().toISOString(), repo: "/r", branch: "main", ...fields })}\n`;

function scene(answer: (request: EnqueueRequest) => void = () => {}, soonMs?: number) {
  const dir = tempDir();
  const path = dir.join("missed-commits.jsonl");
  const seen: string[] = [];
  const errors: unknown[] = [];
  const enqueuer = {
    async enqueue(request: EnqueueRequest) {
      answer(request);
      seen.push(request.git_ref as string);
      expect(request).toMatchObject({ repo_path: "/r", source: "post_commit", branch: "main" });
      return { skipped: true as const, reason: "duplicate" };
    },
  };
  const missed = new MissedCommits(
    path,
    systemClock,
    enqueuer,
    () => {},
    (_, error) => errors.push(error),
    soonMs,
  );
  return { dir, path, seen, errors, missed, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

describe("missed commits", () => {
  test("P01 are enqueued once, and the file is gone", async () => {
    using s = scene();
    writeFileSync(s.path, line({ sha: sha("a") }) + line({ sha: sha("b") }));
    await s.missed.pickUp();
    await s.missed.pickUp();
    expect(s.seen).toEqual([sha("a"), sha("b")]);
    expect(existsSync(s.path)).toBe(false);
  });

  test("older than a day, torn or foreign lines are left out", async () => {
    using s = scene();
    const old = new Date(Date.now() - 25 * 3_600_000).toISOString();
    writeFileSync(
      s.path,
      `${line({ sha: sha("a"), ts: old })}{"repo": "/r", "sh\n${line({ sha: "HEAD" })}\n${line({ sha: sha("c") })}`,
    );
    await s.missed.pickUp();
    expect(s.seen).toEqual([sha("c")]);
  });

  test("what the daemon could not take now is kept; what can never be reviewed is not", async () => {
    let busy = true;
    using s = scene((request) => {
      if (request.git_ref === sha("a") && busy) throw new RoborevError("busy", { code: "E_BUSY" });
      if (request.git_ref === sha("b")) throw new RoborevError("gone", { code: "E_REF" });
    });
    writeFileSync(s.path, line({ sha: sha("a") }) + line({ sha: sha("b") }));
    await s.missed.pickUp();
    expect(s.seen).toEqual([]);
    expect(s.errors).toHaveLength(2);
    expect(readFileSync(s.path, "utf8").trim().split("\n")).toHaveLength(1);
    busy = false;
    await s.missed.pickUp();
    expect(s.seen).toEqual([sha("a")]);
  });

  test("G7 what a full disk kept out of the database is kept in memory until there is room", async () => {
    let full = true;
    using s = scene(() => {
      if (full) throw new RoborevError("the disk is full", { code: "E_DATABASE" });
    });
    const request = { repo_path: "/r", git_ref: sha("a"), branch: "main", source: "post_commit" } as const;
    s.missed.remember(request, new RoborevError("full", { code: "E_DATABASE" }));
    s.missed.remember({ ...request, git_ref: sha("b") }, new RoborevError("gone", { code: "E_REF" }));
    s.missed.remember(
      { repo_path: "/r", git_ref: sha("c") },
      new RoborevError("full", { code: "E_DATABASE" }),
    );
    await s.missed.pickUp();
    expect(s.seen).toEqual([]);
    full = false;
    await s.missed.pickUp();
    await s.missed.pickUp();
    expect(s.seen).toEqual([sha("a")]);
  });

  test("G7 what is in memory only is tried again soon, until there is room", async () => {
    let refusals = 0;
    using s = scene(() => {
      if (++refusals < 4) throw new RoborevError("the disk is full", { code: "E_DATABASE" });
    }, 5);
    const request = { repo_path: "/r", git_ref: sha("a"), branch: "main", source: "post_commit" } as const;
    s.missed.remember(request, new RoborevError("full", { code: "E_DATABASE" }));
    await waitFor("the commit", () => s.seen.length > 0);
    expect(s.seen).toEqual([sha("a")]);
    expect(s.errors).toEqual([]);
  });

  test("a file that was being read when the daemon died is read again, and the newer one at once", async () => {
    using s = scene();
    writeFileSync(`${s.path}.reading`, line({ sha: sha("a") }));
    writeFileSync(s.path, line({ sha: sha("b") }));
    await s.missed.pickUp();
    expect(s.seen).toEqual([sha("a"), sha("b")]);
  });
});
