import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createConfigCache } from "../../../src/config/load.ts";
import { callSettings } from "../../../src/daemon/agent-hook/settings.ts";
import type { HookRequest } from "../../../src/daemon/api/hook-event.ts";
import { findHarness } from "../../../src/harness/registry.ts";
import { tempDir } from "../../support/temp.ts";

/** A daemon's configuration directory, and what a call gets from it. */
function configured(files: Record<string, string>) {
  const dir = tempDir(files);
  const config = createConfigCache();
  return {
    ...dir,
    call: (more: Partial<HookRequest> = {}, agent = "claude") =>
      callSettings(
        { agent, event: { session_id: "s", hook_event_name: "Stop" }, ...more },
        findHarness(agent)!,
        { config, configPath: dir.join("config.toml") },
      ),
  };
}

describe("the settings of one hook call", () => {
  test("are the defaults without a file", async () => {
    using at = configured({});
    expect(await at.call()).toMatchObject({
      settings: {
        turnThreshold: 5,
        commitThreshold: 0,
        failedReviewThreshold: 4,
        instruction: "",
        enabled: true,
      },
      guidelines: "",
      diagnostic: undefined,
    });
  });

  test("120 come from flags, then variables, then the section; an explicit 0 counts, an empty instruction too", async () => {
    using at = configured({
      "config.toml":
        '[agent_hook]\nturn_threshold = 7\ncommit_threshold = 7\nfailed_review_threshold = 7\ninstruction = "Section."\n',
    });
    const env = { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "8", ROBOREV_AGENT_HOOK_COMMIT_THRESHOLD: "8" };
    expect((await at.call({ env, threshold: 0, instruction: "" })).settings).toMatchObject({
      turnThreshold: 0,
      commitThreshold: 8,
      failedReviewThreshold: 7,
      instruction: "",
    });
    expect((await at.call({ env })).settings).toMatchObject({ turnThreshold: 8, instruction: "Section." });
    expect((await at.call({ commit_threshold: 1, failed_review_threshold: 2 })).settings).toMatchObject({
      turnThreshold: 7,
      commitThreshold: 1,
      failedReviewThreshold: 2,
    });
  });

  test("are off where the file says so beside a value that is wrong", async () => {
    using at = configured({ "config.toml": "max_workers = 999\n[agent_hook]\nenabled = false\n" });
    const { settings, diagnostic } = await at.call();
    expect([settings.enabled, diagnostic]).toEqual([false, expect.stringContaining("`max_workers` must be")]);
    expect((await at.call({}, "droid")).settings.enabled).toBe(true);
  });

  test("120 Factory Droid reads its own section and variables, and nobody else does", async () => {
    using at = configured({
      "config.toml": "[agent_hook]\nturn_threshold = 7\n[droid_hook]\nturn_threshold = 6\n",
    });
    const env = { ROBOREV_AGENT_HOOK_COMMIT_THRESHOLD: "1", ROBOREV_DROID_HOOK_COMMIT_THRESHOLD: "2" };
    expect((await at.call({ env }, "droid")).settings).toMatchObject({
      turnThreshold: 6,
      commitThreshold: 2,
    });
    expect((await at.call({ env }, "grok")).settings).toMatchObject({ turnThreshold: 7, commitThreshold: 1 });
  });

  test("120 `--config` names another file for thresholds and instruction; the guidelines stay those of the standard one", async () => {
    using at = configured({
      "config.toml":
        'fix_guidelines = "Standard."\n[agent_hook]\nturn_threshold = 7\ninstruction = "Standard."\n',
      "other.toml": 'fix_guidelines = "Other."\n[agent_hook]\ncommit_threshold = 3\n',
    });
    expect(await at.call({ config: at.join("other.toml") })).toMatchObject({
      settings: { turnThreshold: 5, commitThreshold: 3, instruction: "" },
      guidelines: "Standard.",
    });
    expect(await at.call({ config: at.join("missing.toml") })).toMatchObject({
      settings: { turnThreshold: 5, commitThreshold: 0 },
      guidelines: "Standard.",
      diagnostic: undefined,
    });
  });

  test("W6 a file that breaks keeps its last sound version, and says which line is wrong, of the chosen file first", async () => {
    using at = configured({ "config.toml": "[agent_hook]\nturn_threshold = 7\n", "other.toml": "x = [\n" });
    await at.call();
    writeFileSync(at.join("config.toml"), "[agent_hook\n");
    const { settings, diagnostic } = await at.call();
    expect(settings.turnThreshold).toBe(7);
    expect(diagnostic).toContain("config.toml:1:");
    expect((await at.call({ config: at.join("other.toml") })).diagnostic).toContain("other.toml:");
  });

  test("W17 a variable that is no number is passed over with one line", async () => {
    using at = configured({});
    const env = { ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "five", ROBOREV_AGENT_HOOK_COMMIT_THRESHOLD: "-1" };
    const { settings, diagnostic } = await at.call({ env });
    expect(settings).toMatchObject({ turnThreshold: 5, commitThreshold: 0 });
    expect(diagnostic).toContain("ROBOREV_AGENT_HOOK_TURN_THRESHOLD");
    expect(diagnostic).not.toContain("\n");
  });
});
