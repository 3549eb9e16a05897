import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { parseConfigText } from "../../src/edit/config-text.ts";
import type { JsonValue } from "../../src/edit/tree.ts";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import { copilot } from "../../src/harness/copilot.ts";
import { cursor } from "../../src/harness/cursor.ts";
import { droid } from "../../src/harness/droid.ts";
import { gemini } from "../../src/harness/gemini.ts";
import { grok } from "../../src/harness/grok.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { hermes } from "../../src/harness/hermes.ts";
import { qwen } from "../../src/harness/qwen.ts";
import { buildCommand } from "../../src/install/command.ts";
import { isOurs } from "../../src/install/ownership.ts";
import { type Plan, planInstall, planUninstall } from "../../src/install/plan.ts";
import { shapeOf } from "../../src/install/shape.ts";
import { type Handler, surveyHandlers } from "../../src/install/survey.ts";
import { makeUndo, tryParseUndo, tryUndo, type UndoRecord } from "../../src/install/undo.ts";
import { layouts, objects, values, write } from "../edit/arbitrary-json.ts";
import { writeYaml, yamlLayouts } from "../edit/arbitrary-yaml.ts";

setDefaultTimeout(300_000); // other test runs may share the processors

interface Format {
  name: string;
  harnesses: Harness[];
  write: (value: { [key: string]: JsonValue }) => fc.Arbitrary<string>;
}

/**
 * 2,000 files of a format, by hand: FORMAT_RUNS=all bun test test/install/roundtrip.test.ts. Otherwise a quarter; of YAML,
 * whose parser takes ten times as long, an eighth.
 */
const runs = ({ name }: Format, all: number) =>
  process.env.FORMAT_RUNS === "all" ? all : Math.ceil(all / (name === "YAML" ? 8 : 4));

const asJson = (value: JsonValue) => layouts.map((layout) => write(value, layout));
const formats: Format[] = [
  { name: "groups of handlers", harnesses: [claude, codex, gemini, qwen, grok], write: asJson },
  { name: "bare event map", harnesses: [droid], write: asJson },
  { name: "flat JSON", harnesses: [copilot, cursor], write: asJson },
  {
    name: "YAML",
    harnesses: [hermes],
    write: (value) => yamlLayouts.map((layout) => writeYaml(value, layout)),
  },
];

/** Commands of other tools, some of which talk about us. */
const foreignCommands = [
  "prettier --write .",
  "sh -c 'roborev agent-hook run --agent codex; x'",
  "roborev agent-hook run --agent vim",
  "roborev agent-hook run --agent codex --source=roborev-agent-hook-dev",
  "echo 'agent-hook run --source=roborev-agent-hook'",
  "/x/roborev agent-hook run | tee log",
  "/x/roborev agent-hook run --source=roborev-agent-hook && x || echo '{}'",
];
const command = fc.constantFrom(...foreignCommands);
const matcher = fc.constantFrom("Bash", "^Bash$", "Edit|Write", undefined);
const withMatcher = (given: string | undefined) => (given === undefined ? {} : { matcher: given });

const handler = fc.oneof(
  command.map((text): JsonValue => ({ type: "command", command: text, timeout: 5 })),
  fc.constant<JsonValue>({ type: "prompt", prompt: "is it --source=roborev-agent-hook ?" }),
);
const group = (min: number) =>
  fc
    .tuple(matcher, fc.array(handler, { minLength: min, maxLength: 3 }))
    .map(([given, hooks]): JsonValue => ({ ...withMatcher(given), hooks }));
const flat = fc
  .tuple(matcher, fc.constantFrom("command", "bash"), command)
  .map(([given, field, text]): JsonValue => ({ [field]: text, ...withMatcher(given) }));

interface Case {
  harness: Harness;
  text: string;
}

/** Any file of a format; `min`: no list in it is empty. */
function cases({ harnesses, write: writeAs }: Format, min: number): fc.Arbitrary<Case> {
  return fc.constantFrom(...harnesses).chain((harness) => {
    const { grouped, base, events, version } = shapeOf(harness);
    const lists = fc.dictionary(
      fc.constantFrom(...events, "SubagentStop", "Notification"),
      fc.array<JsonValue>(grouped ? group(min) : flat, { minLength: min, maxLength: 4 }),
      { minKeys: min, maxKeys: 5, noNullPrototype: true },
    );
    const versions = fc.constantFrom(
      ...(min === 0 && version !== undefined ? [undefined, version] : [version]),
    );
    return fc
      .tuple(objects(values), fc.option(lists, { nil: undefined }), versions)
      .chain(([other, found, stated]) => {
        const { hooks: _, version: _version, ...rest } = other;
        const map = found === undefined ? {} : base.length === 0 ? found : { hooks: found };
        return writeAs({ ...rest, ...(stated === undefined ? {} : { version: stated }), ...map });
      })
      .map((text) => ({ harness, text }));
  });
}

const blanks: Record<string, string[]> = {
  json: ["", "\n", " \r\n ", "// note\n", "\ufeff", "{}", "{ }\n", '{"hooks":{}}', "{\n}\n"],
  yaml: [
    "",
    "\n",
    " \r\n",
    "# note\n",
    "\ufeff",
    "{}",
    "---\n",
    "hooks:\n",
    "hooks: {}",
    "hooks: # mine\n  # none",
  ],
};
const blankCases = ({ harnesses }: Format) =>
  fc
    .constantFrom(...harnesses)
    .chain((harness) =>
      fc.constantFrom(...(blanks[shapeOf(harness).language] ?? [])).map((text): Case => ({ harness, text })),
    );

const bytes = (text: string) => new TextEncoder().encode(text);
const decode = (data: Uint8Array | null) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(data ?? new Uint8Array());

function install(harness: Harness, before: Uint8Array, binary = "/bin/roborev", timeoutMs = 10_000): Plan {
  return planInstall({ harness, path: "/h/f", before }, buildCommand(binary, harness.name), timeoutMs);
}

describe.each(formats)("G4, G5: any configuration, $name", (format) => {
  test("twice is once, one registration an event, nothing of others changes or moves; uninstall gives the same bytes", () => {
    const all = fc.oneof({ weight: 9, arbitrary: cases(format, 0) }, blankCases(format));
    fc.assert(
      fc.property(all, ({ harness, text }) => {
        const before = bytes(text);
        const first = install(harness, before);
        expect(first.changed).toBe(true);
        expect(first.notices.filter((notice) => notice.includes("moved"))).toEqual([]);
        expect(install(harness, first.after as Uint8Array)).toMatchObject({ changed: false });
        const after = survey(harness, first.after as Uint8Array);
        const events = after.filter(({ ours }) => ours).map(({ event }) => event);
        expect(events.sort()).toEqual(harness.registrations.map(({ event }) => event).sort());
        expect(foreign(after)).toEqual(foreign(survey(harness, before)));

        const second = install(harness, first.after as Uint8Array, "/moved/roborev", 20_000);
        expect(foreign(survey(harness, second.after as Uint8Array))).toEqual(foreign(after));
        const record = tryParseUndo(JSON.stringify(makeUndo("/h/f", before, second.after as Uint8Array, [])));
        const removed = planUninstall({ harness, path: "/h/f", before: second.after }, record as UndoRecord);
        expect(Buffer.compare(removed.after as Uint8Array, before)).toBe(0);
      }),
      { numRuns: runs(format, 1300) },
    );
  });

  test("it needs no record for that where install filled nothing that was empty", () => {
    fc.assert(
      fc.property(cases(format, 1), fc.boolean(), ({ harness, text }, twice) => {
        if (survey(harness, bytes(text)).length === 0 && !text.includes(":")) return; // nothing at all in it
        if (/^\ufeff?\s*(?:\/[/*]|\{\s*(?:\/[/*][\s\S]*)?\})/.test(text)) return; // an object with no member at all
        const first = install(harness, bytes(text)).after as Uint8Array;
        const installed = twice ? (install(harness, first, "/moved/roborev", 0).after as Uint8Array) : first;
        const removed = planUninstall({ harness, path: "/h/f", before: installed });
        expect(decode(removed.after)).toBe(text);
      }),
      { numRuns: runs(format, 700) },
    );
  });
});

describe("G5: a large file", () => {
  test("G5: 30 entries of others per event, a megabyte beside them: only lines of ours are added", () => {
    const handlers = Array.from({ length: 30 }, (_, n) => ({
      hooks: [{ type: "command", command: `tool-${n}` }],
    }));
    const hooks = { PreToolUse: handlers, PostToolUse: handlers, Stop: handlers };
    const text = `${JSON.stringify({ filler: Array.from({ length: 25_000 }, (_, n) => `entry ${n} of many, to be large`), hooks }, null, 4)}\n`;
    expect(text.length).toBeGreaterThan(900_000);
    const after = new TextDecoder().decode(install(codex, bytes(text)).after as Uint8Array);
    const lines = after.split("\n");
    for (const line of text.split("\n")) takeUntil(lines, line);
    expect(lines).toEqual([]);
  });
});

/** Drops lines up to `line`; those dropped have to be ours, or a comma that had to be added. */
function takeUntil(lines: string[], line: string): void {
  for (let next = lines.shift(); next !== undefined; next = lines.shift()) {
    if (next === line || next === `${line},`) return;
    expect(next).toMatch(/^\s*(?:[{}[\]],?|\},|"(?:matcher|hooks|type|command|timeout)": .*|\})$/);
  }
  throw new Error(`lost line: ${line}`);
}

const foreign = (handlers: Handler[]) =>
  handlers
    .filter(({ ours }) => !ours)
    .map(({ event, group: at, index, text }) => ({ event, at, index, text }));

function survey(harness: Harness, data: Uint8Array) {
  const shape = shapeOf(harness);
  const document = parseConfigText(shape.language, "/h/f", data);
  return surveyHandlers(document, shape, (line) => isOurs(harness, line));
}

describe("the undo record", () => {
  test("fits only the bytes that the install left", () => {
    const record = makeUndo("/x", bytes("ab"), bytes("aXb"), []);
    expect(record).toMatchObject({ offset: 1, length: 1, formerBase64: "" });
    expect(tryUndo(record, bytes("aXb"))?.bytes).toEqual(Buffer.from("ab"));
    expect(tryUndo(record, bytes("aYb"))).toBeUndefined();
    expect(tryUndo({ ...record, before: "0" }, bytes("aXb"))).toBeUndefined();
    expect(tryUndo(makeUndo("/x", null, bytes("n"), []), bytes("n"))).toEqual({ bytes: null });
  });

  test.each(["", "null", "[]", "{}", '{"target": 1}', "{"])("%j is no record", (text) => {
    expect(tryParseUndo(text)).toBeUndefined();
  });
});
