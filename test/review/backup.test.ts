import { describe, expect, test } from "bun:test";
import type { GlobalConfig } from "../../src/config/schema.ts";
import { reviewerFailure, reviewerFor } from "../../src/review/backup.ts";
import { tempDir } from "../support/temp.ts";

const failure = { error: "codex failed", retryable: false };

/** A machine on which these reviewers are installed. */
function machine(...programs: ("codex" | "claude")[]) {
  const dir = tempDir(Object.fromEntries(programs.map((name) => [name, "#!/bin/sh\n"])));
  for (const name of programs) Bun.spawnSync(["chmod", "+x", dir.join(name)]);
  const global: GlobalConfig = {
    codex_cmd: dir.join("codex"),
    claude_code_cmd: dir.join("claude"),
  };
  const ask = (
    backup: string | undefined,
    { attempted, resting }: { attempted?: string[]; resting?: string } = {},
  ) =>
    reviewerFailure(failure, {
      job: { agent: "codex", ...(attempted ? { attempted_agents: attempted } : {}) },
      settings: backup === undefined ? {} : { backup: { agent: { value: backup, origin: "global" } } },
      global,
      cooldowns: resting ? [{ agent: resting, until: "2026-06-01T10:00:00.000Z", reason: "quota" }] : [],
      env: process.env,
    });
  return { ask, global, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

describe("who takes over", () => {
  test("D43 nobody, where no backup is configured, whatever is installed", () => {
    using m = machine("codex", "claude");
    expect(m.ask(undefined)).toEqual({ kind: "failed", ...failure });
  });

  test("S04 the configured backup, by its canonical name", () => {
    using m = machine("codex", "claude");
    expect(m.ask("claude")).toMatchObject({ ...failure, backup: { agent: "claude-code" } });
  });

  test("A10 with the model that was configured for it as a backup", () => {
    using m = machine("claude");
    const outcome = reviewerFailure(failure, {
      job: { agent: "codex" },
      settings: {
        backup: {
          agent: { value: "claude-code", origin: "repo" },
          model: { value: "opus", origin: "repo", meantFor: "claude-code" },
        },
      },
      global: m.global,
      cooldowns: [],
      env: process.env,
    });
    expect(outcome).toMatchObject({ backup: { agent: "claude-code", model: "opus" } });
  });

  test("S04 nobody who had a turn: the failing reviewer itself, or one that handed the job on", () => {
    using m = machine("codex", "claude");
    expect(m.ask("codex")).toEqual({ kind: "failed", ...failure });
    expect(m.ask("claude-code", { attempted: ["claude-code"] })).toEqual({ kind: "failed", ...failure });
  });

  test.each([
    ["is not installed", "claude-code", "reviewer claude-code is not installed"],
    ["is unknown", "nobody", "unknown reviewer"],
    ["is the built-in one (D41)", "test", "it finds no real problems"],
  ])("a backup that %s does not, and the failure says so", (_, name, why) => {
    using m = machine("codex");
    const outcome = m.ask(name);
    expect(outcome).not.toHaveProperty("backup");
    const error = outcome.kind === "failed" ? outcome.error : "";
    expect(error).toStartWith(`codex failed. The backup ${name} did not take over: `);
    expect(error).toContain(why);
  });

  test("A08 a backup that rests does not", () => {
    using m = machine("codex", "claude");
    const outcome = m.ask("claude", { resting: "claude-code" });
    expect(outcome).not.toHaveProperty("backup");
    expect(outcome).toMatchObject({
      error: "codex failed. The backup claude did not take over: it rests until 2026-06-01T10:00:00.000Z",
    });
  });
});

const by = (value: string) => ({ value, origin: "global" as const });

test("A09 D43 a job may name a reviewer that is missing only where a configured backup is there for it", () => {
  using dir = tempDir({ claude: "#!/bin/sh\n" });
  Bun.spawnSync(["chmod", "+x", dir.join("claude")]);
  const global = { codex_cmd: dir.join("codex"), claude_code_cmd: dir.join("claude") };
  expect(reviewerFor({ agent: by("codex"), backup: { agent: by("claude-code") } }, global, process.env)).toBe(
    "codex",
  );
  expect(reviewerFor({ agent: by("claude-code") }, global, process.env)).toBe("claude-code");
  for (const backup of ["codex", "nobody", "test"]) {
    const settings = { agent: by("codex"), backup: { agent: by(backup) } };
    expect(() => reviewerFor(settings, global, process.env), backup).toThrow(
      "reviewer codex is not installed",
    );
  }
  expect(() => reviewerFor({ agent: by("codex") }, global, process.env)).toThrow(
    "reviewer codex is not installed",
  );
  const unknown = { agent: by("nobody"), backup: { agent: by("claude-code") } };
  expect(() => reviewerFor(unknown, global, process.env)).toThrow("unknown reviewer");
});
