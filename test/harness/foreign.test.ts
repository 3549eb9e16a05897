import { describe, expect, test } from "bun:test";
import { foreignSender } from "../../src/harness/foreign.ts";
import { harnesses } from "../../src/harness/registry.ts";
import { runInProcess } from "../hook/world.ts";
import { native, type Payload } from "./native.ts";

/** Payloads of every harness, by the name it is shown under. */
const folders: [folder: string, harness: string][] = [
  ...([
    ["claude", "claude"],
    ["codex", "codex"],
    ["copilot", "copilot"],
  ] as [string, string][]),
  ...([
    ["copilot-camel", "copilot"],
    ["cursor", "cursor"],
    ["droid", "droid"],
  ] as [string, string][]),
  ...([
    ["gemini", "gemini"],
    ["hermes", "hermes"],
    ["qwen", "qwen"],
  ] as [string, string][]),
  ...([
    ["grok", "grok"],
    ["grok/v1.0.5", "grok"],
  ] as [string, string][]),
];

const payloads = folders.flatMap(([folder, name]) => {
  const harness = harnesses.find((known) => known.name === name);
  if (!harness) throw new Error(`no harness ${name}`);
  const { names, load } = native(harness, folder);
  return names
    .filter((file) => !file.startsWith("_"))
    .map((file) => ({ harness, file: `${folder}/${file}`, payload: load(file) }));
});

const at = (file: string): Payload => payloads.find((known) => known.file === file)?.payload as Payload;
const guests = ["Cursor", "GitHub Copilot CLI", "Grok Build"];

describe("a payload at a harness's profile", () => {
  test.each(harnesses.map((harness) => [harness.displayName, harness] as const))(
    "is never foreign to %s if it is its own",
    (_, harness) => {
      const own = payloads.filter((known) => known.harness === harness);
      expect(own.length).toBeGreaterThan(5);
      for (const { file, payload } of own)
        expect([file, harness.decode(payload, { HERMES_SESSION_ID: "s" }).kind]).toEqual([file, "event"]);
    },
  );

  test("is told by its shape alone if it is one of Grok Build or Cursor, whatever the event", () => {
    const theirs = payloads.filter(({ harness }) => ["Cursor", "Grok Build"].includes(harness.displayName));
    for (const { harness, payload } of theirs) {
      for (const other of harnesses.filter((known) => known !== harness))
        expect(other.decode(payload)).toEqual({ kind: "foreign", from: harness.displayName });
    }
  });

  test.each(["PreToolUse", "PreToolUse.subagent", "PostToolUse", "Stop", "Stop.active", "UserPromptSubmit"])(
    "is told if it is Copilot's %s, which a Claude Code file of a repository brings about",
    (name) => expect(foreignSender(at(`copilot/${name}`))).toBe("GitHub Copilot CLI"),
  );

  test("is never taken for that of a harness which runs no hooks of others", () => {
    const others = payloads.filter(({ harness }) => !guests.includes(harness.displayName));
    for (const { file, payload } of others) expect([file, foreignSender(payload)]).toEqual([file, undefined]);
  });

  test("of a Claude Code that once sends the time of its events is Claude Code's", () => {
    for (const name of ["PreToolUse", "PostToolUse", "Stop"])
      expect(foreignSender({ ...at(`claude/${name}`), timestamp: "2026-11-30T21:54:19Z" })).toBeUndefined();
  });
});

describe("D26: a foreign payload", () => {
  test.each([
    ["claude", "grok/Stop.end_turn"],
    ["claude", "grok/PostToolUse"],
    ["claude", "grok/v1.0.5/post_tool_use"],
    ["claude", "cursor/stop.completed"],
    ["claude", "copilot/PostToolUse"],
    ["cursor", "grok/Stop.end_turn"],
    ["copilot", "grok/PreToolUse"],
    ["grok", "cursor/stop.completed"],
  ])("at --agent %s, %s, is answered empty and the daemon is not asked", async (agent, file) => {
    const args = ["--agent", agent, "--source=roborev-agent-hook"];
    const answer = await runInProcess({ args, input: JSON.stringify(at(file)) });
    expect(answer).toEqual({ stdout: "{}", exitCode: 0, calls: [] });
  });
});
