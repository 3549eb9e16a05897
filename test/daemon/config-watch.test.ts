import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createConfigCache } from "../../src/config/load.ts";
import type { GlobalConfig } from "../../src/config/schema.ts";
import { changedKeys } from "../../src/daemon/config-change.ts";
import { type ConfigReloaded, ConfigWatch } from "../../src/daemon/config-watch.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type TempDir, tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

interface Watched extends Disposable {
  watch: ConfigWatch;
  reloads: ConfigReloaded[];
  problems: string[];
  errors: unknown[];
  holds(): GlobalConfig;
}

async function watched(dir: TempDir, name = "config.toml"): Promise<Watched> {
  const path = dir.join(name);
  const config = createConfigCache();
  const seen = { reloads: [] as ConfigReloaded[], problems: [] as string[], errors: [] as unknown[] };
  const watch = new ConfigWatch({
    path,
    config,
    clock: systemClock,
    onReloaded: (reloaded) => seen.reloads.push(reloaded),
    onBroken: (problem) => seen.problems.push(problem.message),
    onError: (error) => seen.errors.push(error),
  });
  await watch.start();
  return {
    ...seen,
    watch,
    holds() {
      const kept = config.loadOrKeep(path);
      if (kept instanceof Promise) throw new Error("the file has changed since the watch looked at it");
      return kept.loaded.config;
    },
    [Symbol.dispose]: () => watch.stop(),
  };
}

/** As editors save: a temporary file takes the place of the old one. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.swp`, text);
  renameSync(`${path}.swp`, path);
}

describe("D07 a changed configuration", () => {
  test("is told once for a file that was replaced, with what is different", async () => {
    using dir = tempDir({ "config.toml": "job_timeout_minutes = 5\n[agent_hook]\nenabled = true\n" });
    using seen = await watched(dir);
    expect(seen.watch.last).toBeUndefined();
    replace(dir.join("config.toml"), "review_context_count = 1\n[agent_hook]\nenabled = false\n");
    await waitFor("the reload", () => seen.reloads.length > 0);
    expect(seen.reloads).toEqual([
      {
        at: expect.any(Date),
        count: 1,
        keys: ["agent_hook.enabled", "job_timeout_minutes", "review_context_count"],
      },
    ]);
    expect(seen.watch.last).toEqual(seen.reloads[0] as ConfigReloaded);
  });

  test("is told once for two writes in quick succession, and for what the second one says", async () => {
    using dir = tempDir({ "config.toml": "" });
    using seen = await watched(dir);
    for (const minutes of [1, 2])
      writeFileSync(dir.join("config.toml"), `job_timeout_minutes = ${minutes}\n`);
    await waitFor("the reload", () => seen.reloads.length > 0);
    writeFileSync(dir.join("config.toml"), "job_timeout_minutes = 3\n");
    await waitFor("the next reload", () => seen.reloads.length > 1);
    expect(seen.reloads.map(({ count }) => count)).toEqual([1, 2]);
    expect(seen.holds()).toEqual({ job_timeout_minutes: 3 });
  });

  test("that is broken keeps what held, is told as a problem once, and is no reload until it is sound", async () => {
    using dir = tempDir({ "config.toml": "job_timeout_minutes = 5\n" });
    using seen = await watched(dir);
    const path = dir.join("config.toml");
    replace(path, "job_timeout_minutes = = 6\n");
    await waitFor("the problem", () => seen.problems.length > 0);
    expect(seen.holds()).toEqual({ job_timeout_minutes: 5 });
    // Sound again, and nothing is different from before.
    replace(path, "job_timeout_minutes = 5 # minutes\n");
    replace(path, "job_timeout_minutes = 0\n");
    await waitFor("the second problem", () => seen.problems.length > 1);
    replace(path, "job_timeout_minutes = 6\n");
    await waitFor("the reload", () => seen.reloads.length > 0);
    expect(seen.problems).toEqual([
      expect.stringContaining("config.toml:1:23: not valid TOML"),
      expect.stringContaining("`job_timeout_minutes` must be a whole number from 1 to 1440, got 0"),
    ]);
    expect(seen.reloads).toMatchObject([{ count: 1, keys: ["job_timeout_minutes"] }]);
  });

  test("is noticed for a file that appears or goes, and not for another one's", async () => {
    using dir = tempDir();
    using seen = await watched(dir);
    writeFileSync(dir.join("reviews.db-wal"), "x");
    writeFileSync(dir.join("config.toml"), "max_workers = 2\n");
    await waitFor("the file", () => seen.reloads.length === 1);
    expect(seen.watch.pendingRestart).toEqual(["max_workers"]);
    rmSync(dir.join("config.toml"));
    await waitFor("its end", () => seen.reloads.length === 2);
    expect([seen.watch.pendingRestart, seen.reloads[1]?.keys]).toEqual([[], ["max_workers"]]);
  });

  test("is noticed in the file that a link leads to, also after the link was changed", async () => {
    using dir = tempDir({ "dotfiles/a.toml": "", "other/b.toml": "max_workers = 1\n" });
    mkdirSync(dir.join("data"));
    symlinkSync(dir.join("dotfiles/a.toml"), dir.join("data/config.toml"));
    using seen = await watched(dir, "data/config.toml");
    replace(dir.join("dotfiles/a.toml"), "max_workers = 3\n");
    await waitFor("the target's change", () => seen.reloads.length === 1);
    symlinkSync(dir.join("other/b.toml"), dir.join("data/new"));
    renameSync(dir.join("data/new"), dir.join("data/config.toml"));
    await waitFor("the other target", () => seen.reloads.length === 2);
    writeFileSync(dir.join("other/b.toml"), "max_workers = 4\n");
    await waitFor("the other target's change", () => seen.reloads.length === 3);
    expect(seen.holds()).toEqual({ max_workers: 4 });
    expect(seen.errors).toEqual([]);
  });

  test("that cannot be watched is said once, and holds all the same", async () => {
    using dir = tempDir();
    using seen = await watched(dir, "nowhere/config.toml");
    expect(seen.errors).toMatchObject([
      { code: "E_WATCH", message: expect.stringContaining("cannot watch") },
    ]);
    expect(seen.holds()).toEqual({});
  });
});

test("tables differ in their members, everything else as a whole", () => {
  const before: GlobalConfig = {
    exclude_patterns: ["a", "b"],
    agent_hook: { enabled: true, turn_threshold: 1 },
  };
  expect(changedKeys(before, structuredClone(before))).toEqual([]);
  expect(changedKeys(before, { exclude_patterns: ["b", "a"], agent_hook: { enabled: true } })).toEqual([
    "agent_hook.turn_threshold",
    "exclude_patterns",
  ]);
  expect(changedKeys({}, before)).toEqual([
    "agent_hook.enabled",
    "agent_hook.turn_threshold",
    "exclude_patterns",
  ]);
  expect(changedKeys(before, {})).toEqual(changedKeys({}, before));
});
