import { describe, expect, test } from "bun:test";
import { copilot } from "../../src/harness/copilot.ts";
import { cursor } from "../../src/harness/cursor.ts";
import { droid } from "../../src/harness/droid.ts";
import { grok } from "../../src/harness/grok.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { hermes } from "../../src/harness/hermes.ts";
import { buildCommand, entryOf, registeredLine } from "../../src/install/command.ts";
import { planInstall, planUninstall } from "../../src/install/plan.ts";
import { shapeOf } from "../../src/install/shape.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | null) => new TextDecoder().decode(bytes ?? new Uint8Array());
const command = (harness: Harness) => buildCommand("/bin/roborev", harness.name);
const target = (harness: Harness, text: string) => ({ harness, path: "/h/f", before: encode(text) });
const install = (harness: Harness, text: string) =>
  planInstall(target(harness, text), command(harness), 10_000);
const installed = (harness: Harness, value: unknown) =>
  JSON.parse(decode(install(harness, JSON.stringify(value)).after));
const entries = (harness: Harness) =>
  Object.fromEntries(
    harness.registrations.map((registration) => [
      registration.event,
      [entryOf(harness, registration, command(harness), 10_000)],
    ]),
  );

describe("flat JSON: GitHub Copilot CLI, Cursor", () => {
  test("a new file has its version first", () => {
    for (const harness of [copilot, cursor]) {
      expect(decode(install(harness, "").after)).toBe(
        `${JSON.stringify({ version: 1, hooks: entries(harness) }, null, 2)}\n`,
      );
    }
  });

  test("scenario 114: foreign entries stay, also a group with handlers, and a missing version is added", () => {
    const theirs = [{ command: "x" }, { matcher: "a", hooks: [{ type: "command", command: "y" }] }];
    const after = installed(cursor, { hooks: { stop: theirs, other: theirs }, own: 1 });
    expect(after).toEqual({
      hooks: { ...entries(cursor), stop: [...theirs, ...(entries(cursor).stop ?? [])], other: theirs },
      own: 1,
      version: 1,
    });
  });

  test.each([
    ['{"version": 2}', "/h/f:1:13: version must be 1, not 2"],
    ['{"version": "1"}', '/h/f:1:13: version must be 1, not "1"'],
    ['{"version": null}', "version must be 1, not null"],
    ['{"hooks": {"stop": {}}}', "hooks.stop must be an array, not object"],
    ['{"hooks": {"stop": [1]}}', "hooks.stop[0] must be an object, not number"],
  ])("%s is refused", (text, message) => {
    expect(() => install(cursor, text)).toThrow(message);
  });

  test("1.0 is the same version and stays as it is written", () => {
    const after = decode(install(cursor, '{"version": 1.0, "hooks": {}}').after);
    expect(after).toStartWith('{"version": 1.0, "hooks": {"preToolUse": [');
  });

  test("ours is recognised by any of its members, moved programs and other members are replaced in place", () => {
    const old = (field: string, line: string) => ({ [field]: line, extra: true });
    const text = "/old/roborev agent-hook run --agent copilot --source=roborev-agent-hook";
    for (const entry of [
      old("command", text),
      old("bash", `${text} || echo '{}'`),
      old("powershell", `& '${text.replaceAll(" ", "' '")}'`),
    ]) {
      const after = installed(copilot, { version: 1, hooks: { Stop: [entry, { bash: "theirs" }] } });
      expect(after.hooks.Stop).toEqual([...(entries(copilot).Stop ?? []), { bash: "theirs" }]);
    }
  });
});

describe("bare event map: Factory Droid", () => {
  const group = (entry: unknown, matcher?: string) => ({ ...(matcher ? { matcher } : {}), hooks: [entry] });
  const ours = entryOf(droid, { event: "Stop" }, command(droid), 10_000);
  const all = {
    PreToolUse: [group(ours, "Execute")],
    PostToolUse: [group(ours, "Execute")],
    Stop: [group(ours)],
  };

  test("the events stand at the top, beside switches that are no lists", () => {
    expect(installed(droid, {})).toEqual(all);
    expect(installed(droid, { hooksDisabled: false, hooks: { Stop: 1 } })).toEqual({
      hooksDisabled: false,
      hooks: { Stop: 1 },
      ...all,
    });
  });

  test("D32: what an older release wrote under `hooks`, where nothing fires, goes", () => {
    const legacy = { type: "command", command: "/old/roborev droid-hook run" };
    expect(installed(droid, { hooks: { Stop: [group(legacy)], PreToolUse: [group(ours, "x")] } })).toEqual(
      all,
    );
    expect(
      installed(droid, { hooks: { Stop: [group(legacy), group({ type: "command", command: "x" })] } }),
    ).toEqual({
      hooks: { Stop: [group({ type: "command", command: "x" })] },
      ...all,
    });
  });

  test("uninstall leaves what is not ours, down to an empty object", () => {
    const after = install(droid, "{}").after;
    expect(decode(planUninstall({ harness: droid, path: "/h/f", before: after }).after)).toBe("{}");
  });

  test("in settings.json the same stands under `hooks`", () => {
    const plan = planInstall(
      { ...target(droid, '{"model": "x"}'), shape: shapeOf(droid, false) },
      command(droid),
      10_000,
    );
    expect(JSON.parse(decode(plan.after))).toEqual({ model: "x", hooks: all });
  });
});

describe("YAML: Hermes Agent", () => {
  const line = `${registeredLine(hermes, command(hermes))}`;
  const entry = (indent: string, matcher: boolean) =>
    [...(matcher ? ["matcher: terminal"] : []), `command: "${line}"`, "timeout: 10"]
      .map((member, index) => `${indent}${index === 0 ? "- " : "  "}${member}\n`)
      .join("");
  const block = hermes.registrations
    .map(({ event, matcher }) => `  ${event}:\n${entry("    ", matcher !== undefined)}`)
    .join("");

  test("a new file", () => {
    expect(decode(install(hermes, "").after)).toBe(`hooks:\n${block}`);
  });

  test("is added behind a file that has comments of its own, and taken away again", () => {
    const text =
      "# Hermes\nmodel: x   # the big one\nbig: 12345678901234567890\n\n# hooks:\n#   pre_verify: []\n";
    const after = install(hermes, text).after;
    expect(decode(after)).toBe(`${text}hooks:\n${block}`);
    expect(decode(planUninstall({ harness: hermes, path: "/h/f", before: after }).after)).toBe(text);
  });

  test("reserved keys, foreign entries and hooks_auto_accept stay; the older registration is replaced where it stands", () => {
    const text = `hooks_auto_accept: false
hooks:
  output_spill: 10
  pre_verify:
    - {command: "/old/roborev agent-hook run --agent hermes --source=roborev-agent-hook"} # ours
    - command: theirs
  post_tool_call:
`;
    const after = decode(install(hermes, text).after);
    expect(after).toStartWith(`hooks_auto_accept: false
hooks:
  output_spill: 10
  pre_verify:
    - {"command": ${JSON.stringify(line)}, "timeout": 10} # ours
    - command: theirs
  post_tool_call:
${entry("    ", true)}`);
    expect(install(hermes, after).changed).toBe(false);
  });

  test.each([
    ["hooks: [1]\n", "/h/f:1:8: hooks must be an object, not array"],
    ["hooks:\n  pre_verify: x\n", "/h/f:2:15: hooks.pre_verify must be an array, not string"],
    ["hooks: null\n", "hooks must be an object, not null"],
    ["- a\n", "the document must be an object, not array"],
    ["hooks: {}\nhooks: {}\n", "/h/f:2:1: this key stands twice in its map"],
    ["a: &h {}\nhooks: *h\n", "/h/f:2:1: hooks comes from an alias"],
    [
      "a: &h {pre_verify: [{command: x}]}\nhooks:\n  <<: *h\n",
      "/h/f:3:3: hooks.pre_verify comes from a merge key",
    ],
  ])("%j is refused", (text, message) => {
    expect(() => install(hermes, text)).toThrow(message);
  });

  test("ours behind an alias counts as ours, and can stay as long as it need not change", () => {
    const tool = entry("    ", true);
    const text = `hooks:
  pre_tool_call: &t
${tool}  post_tool_call: *t
  pre_verify: &v
${entry("    ", false)}  pre_llm_call: *v
  on_session_end: *v
`;
    expect(install(hermes, text).changed).toBe(false);
    expect(() => planInstall(target(hermes, text), command(hermes), 20_000)).toThrow("an alias refers to");
  });
});

describe("scenario 114: Grok Build", () => {
  test("large numbers and foreign hooks stay, a corrupt file is refused", () => {
    const text =
      '{"n": 12345678901234567890, "hooks": {"Stop": [{"hooks": [{"type": "http", "url": "u"}]}]}}';
    const after = decode(install(grok, text).after);
    expect(after).toStartWith(text.slice(0, -4));
    expect(() => install(grok, '{"hooks": {')).toThrow("/h/f:1:12: ");
    expect(() => install(grok, "{} {}")).toThrow("/h/f:1:4: ");
  });

  test("scenario 109: its registrations from before the marker are replaced", () => {
    const legacy = { type: "command", command: "/old/roborev agent-hook run --agent grok" };
    expect(installed(grok, { hooks: { SessionEnd: [{ hooks: [legacy] }] } }).hooks).not.toHaveProperty(
      "SessionEnd",
    );
  });
});
