import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { codex } from "../../../src/harness/codex.ts";
import { type Approval, harnessHealth } from "../../../src/harness/health.ts";
import { hermes } from "../../../src/harness/hermes.ts";
import { harnessNames } from "../../../src/harness/names.ts";
import { readApproval } from "../../../src/install/doctor/approval.ts";
import type { Entry } from "../../../src/install/doctor/entries.ts";
import { findOffSwitch } from "../../../src/install/doctor/off-switch.ts";
import { tempDir } from "../../support/temp.ts";

const command = "/opt/roborev agent-hook run --agent x '--source=roborev-agent-hook'";
const entries: Entry[] = ["PreToolUse", "Stop"].map((event) => ({
  event,
  command,
  matcher: undefined,
  timeout: 10,
  ours: true,
}));

test("every harness has its facts, and nobody else", () => {
  expect(Object.keys(harnessHealth).sort()).toEqual([...harnessNames].sort());
});

/** A `codex` on PATH that answers as codex-cli 0.171.0 does: only while its input is open, with notices in between. */
function fakeCodex(answer: unknown) {
  const messages = [{ id: 1, result: {} }, { method: "configWarning", params: {} }, answer];
  const dir = tempDir(
    Object.fromEntries(messages.map((message, at) => [`${at}.json`, `${JSON.stringify(message)}\n`])),
  );
  const say = messages.map((_, at) => `read line; cat '${dir.join(`${at}.json`)}'`).join("\n");
  writeFileSync(dir.join("codex"), `#!/bin/sh\n[ "$1" = app-server ] || exit 9\n${say}\ncat\n`);
  chmodSync(dir.join("codex"), 0o755);
  return {
    ask: (approval = harnessHealth.codex?.approval as Approval) =>
      readApproval({
        harness: codex,
        approval,
        path: "/h/hooks.json",
        configDirectory: dir.path,
        entries,
        env: { PATH: `${dir.path}:/usr/bin:/bin`, HOME: dir.path },
        cwd: dir.path,
      }),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const listed = (...states: string[]) => ({
  id: 2,
  result: {
    data: [
      {
        cwd: "/",
        hooks: [
          ...states.map((trustStatus) => ({ command, sourcePath: "/h/hooks.json", trustStatus })),
          { command: "other", sourcePath: "/h/hooks.json", trustStatus: "untrusted" },
          { command, sourcePath: "/project/.codex/hooks.json", trustStatus: "untrusted" },
        ],
      },
    ],
  },
});

test.each<[string, unknown, object]>([
  ["trusted hooks are approved", listed("trusted", "trusted"), { state: "approved" }],
  ["one that is not trusted is pending", listed("trusted", "untrusted"), { state: "pending" }],
  ["one that was changed is changed", listed("untrusted", "modified"), { state: "changed" }],
  ["a state that nobody knows is unknown", listed("cloudy"), { state: "unknown" }],
  [
    "hooks that it does not list are unknown",
    listed(),
    { state: "unknown", why: "codex does not list our hooks" },
  ],
  ["an error is unknown", { id: 2, error: { code: -32601 } }, { state: "unknown" }],
])("Codex: %s", async (_, answer, expected) => {
  using program = fakeCodex(answer);
  expect(await program.ask()).toMatchObject(expected);
});

test("Codex: a program that says something else, or is not there, is unknown", async () => {
  using program = fakeCodex({ id: 2 });
  expect(await program.ask({ kind: "hooks-list", args: ["unheard-of"] })).toEqual({
    state: "unknown",
    why: "codex unheard-of did not answer",
  });
  const none = {
    harness: codex,
    path: "/h",
    configDirectory: "/h",
    entries,
    env: { PATH: "/nowhere" },
    cwd: "/",
  };
  expect(await readApproval({ ...none, approval: harnessHealth.codex?.approval as Approval })).toEqual({
    state: "unknown",
    why: "codex is not on PATH",
  });
});

test("Hermes: approved are exactly the events and commands on its list, or all by its own settings", async () => {
  using dir = tempDir({ "config.yaml": "model: x\n" });
  const ask = (env = {}) =>
    readApproval({
      harness: hermes,
      approval: harnessHealth.hermes?.approval as Approval,
      path: dir.join("config.yaml"),
      configDirectory: dir.path,
      entries,
      env,
      cwd: dir.path,
    });
  const list = (...events: string[]) =>
    writeFileSync(
      dir.join("shell-hooks-allowlist.json"),
      JSON.stringify({ approvals: events.map((event) => ({ event, command })) }),
    );
  expect(await ask()).toEqual({ state: "pending" });
  list("Stop");
  expect(await ask()).toEqual({ state: "pending" });
  list("Stop", "PreToolUse");
  expect(await ask()).toEqual({ state: "approved" });
  writeFileSync(dir.join("shell-hooks-allowlist.json"), "[]");
  expect(await ask()).toMatchObject({ state: "unknown" });
  expect(await ask({ HERMES_ACCEPT_HOOKS: "yes" })).toEqual({ state: "approved" });
  writeFileSync(dir.join("config.yaml"), "hooks_auto_accept: true\n");
  expect(await ask()).toEqual({ state: "approved" });
});

test.each<[string, string, string, string]>([
  ["claude", "settings.json", '{"disableAllHooks": true}', "disableAllHooks is true"],
  ["codex", "config.toml", "[features]\nhooks = false\n", "features.hooks is false"],
  ["copilot", "hooks/agenthook.json", '{"version":1,"disableAllHooks":true}', "disableAllHooks is true"],
  ["droid", "hooks.json", '{"hooksDisabled": true}', "hooksDisabled is true"],
  ["gemini", "settings.json", '{"hooksConfig":{"enabled":false}} // off', "hooksConfig.enabled is false"],
  [
    "gemini",
    "settings.json",
    '{"hooksConfig":{"disabled":["roborev"]}}',
    "hooksConfig.disabled names roborev",
  ],
  ["qwen", "settings.json", '{"disableAllHooks": true}', "disableAllHooks is true"],
  ["grok", "disabled-hooks", "global/roborev:stop[0].hooks[0]\n", "global/roborev: stands"],
])("what switches the hooks of %s off in %s is found", async (agent, file, text, words) => {
  using dir = tempDir({ [file]: text });
  const switches = harnessHealth[agent]?.offSwitches ?? [];
  const hookFile = dir.join(file);
  expect(await findOffSwitch(switches, hookFile, dir.path)).toBe(`${words} in ${hookFile}`);
  writeFileSync(hookFile, file.endsWith(".toml") ? "[features]\nhooks = true\n" : "{}");
  expect(await findOffSwitch(switches, hookFile, dir.path)).toBeUndefined();
});
