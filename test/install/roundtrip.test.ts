import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { parseJsonText } from "../../src/edit/json-text.ts";
import type { JsonValue } from "../../src/edit/tree.ts";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { buildCommand } from "../../src/install/command.ts";
import { isOurs } from "../../src/install/ownership.ts";
import { type Plan, planInstall, planUninstall } from "../../src/install/plan.ts";
import { shapeOf } from "../../src/install/shape.ts";
import { surveyHandlers } from "../../src/install/survey.ts";
import { makeUndo, tryParseUndo, tryUndo } from "../../src/install/undo.ts";
import { layouts, objects, values, write } from "../edit/arbitrary-json.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const harness = fc.constantFrom<Harness>(claude, codex);

/** Commands of other tools, some of which talk about us. */
const foreign = fc
  .constantFrom(
    "prettier --write .",
    "sh -c 'roborev agent-hook run --agent codex; x'",
    "roborev agent-hook run --agent gemini",
    "roborev agent-hook run --agent codex --source=roborev-agent-hook-dev",
    "echo 'agent-hook run --source=roborev-agent-hook'",
    "/x/roborev agent-hook run | tee log",
  )
  .map((command): JsonValue => ({ type: "command", command, timeout: 5 }));
const prompt = fc.constant<JsonValue>({ type: "prompt", prompt: "is it --source=roborev-agent-hook ?" });

const groupsOf = (min: number) =>
  fc.array(
    fc
      .tuple(
        fc.constantFrom("Bash", "^Bash$", "Edit|Write", undefined),
        fc.array(fc.oneof(foreign, prompt), { minLength: min, maxLength: 3 }),
      )
      .map(([matcher, hooks]): JsonValue => ({ ...(matcher === undefined ? {} : { matcher }), hooks })),
    { minLength: min, maxLength: 4 },
  );

const configs = (min: number) =>
  fc
    .tuple(
      objects(values),
      fc.option(
        fc.dictionary(
          fc.constantFrom("PreToolUse", "PostToolUse", "Stop", "SubagentStop", "Notification"),
          groupsOf(min),
          { minKeys: min, maxKeys: 5, noNullPrototype: true },
        ),
        { nil: undefined },
      ),
      layouts,
    )
    .map(([other, hooks, layout]) => {
      const { hooks: _, ...rest } = other;
      return write(hooks === undefined ? rest : { ...rest, hooks }, layout);
    });

const blank = fc.constantFrom(
  "",
  "\n",
  " \r\n ",
  "// note\n",
  "\ufeff",
  "{}",
  "{ }\n",
  '{"hooks":{}}',
  "{\n}\n",
);
const bytes = (text: string) => new TextEncoder().encode(text);

function install(harnessOf: Harness, before: Uint8Array, binary = "/bin/roborev", timeoutMs = 10_000): Plan {
  const target = { harness: harnessOf, path: "/h/f.json", before };
  return planInstall(target, buildCommand(binary, harnessOf.name), timeoutMs);
}

describe("G4, G5: any configuration", () => {
  test("install, another install over it, then uninstall gives the same bytes", () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: configs(0) }, blank), harness, (text, harnessOf) => {
        const before = bytes(text);
        const first = install(harnessOf, before);
        expect(first.changed).toBe(true);
        const second = install(harnessOf, first.after as Uint8Array, "/moved/roborev", 20_000);
        const record = makeUndo("/h/f.json", before, second.after as Uint8Array, []);
        const stored = tryParseUndo(JSON.stringify(record));
        const removed = planUninstall(
          { harness: harnessOf, path: "/h/f.json", before: second.after },
          stored as NonNullable<typeof stored>,
        );
        expect(Buffer.compare(removed.after as Uint8Array, before)).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });

  test("it needs no record for that where install filled nothing that was empty", () => {
    fc.assert(
      fc.property(configs(1), harness, fc.boolean(), (text, harnessOf, twice) => {
        if (/^\ufeff?\s*(?:\/[/*]|\{\s*(?:\/[/*][\s\S]*)?\})/.test(text)) return; // an object with no member at all
        const first = install(harnessOf, bytes(text)).after as Uint8Array;
        const installed = twice
          ? (install(harnessOf, first, "/moved/roborev", 0).after as Uint8Array)
          : first;
        const removed = planUninstall({ harness: harnessOf, path: "/h/f.json", before: installed });
        expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(removed.after as Uint8Array)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("installing twice is installing once, with one registration an event", () => {
    fc.assert(
      fc.property(configs(0), harness, (text, harnessOf) => {
        const first = install(harnessOf, bytes(text));
        expect(install(harnessOf, first.after as Uint8Array)).toMatchObject({ changed: false });
        const ours = survey(harnessOf, first.after as Uint8Array).filter((handler) => handler.ours);
        expect(ours.map(({ event }) => event).sort()).toEqual(
          harnessOf.registrations.map(({ event }) => event).sort(),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("no handler of another tool changes by a byte or moves", () => {
    fc.assert(
      fc.property(configs(0), harness, (text, harnessOf) => {
        const foreignOf = (data: Uint8Array) =>
          survey(harnessOf, data)
            .filter(({ ours }) => !ours)
            .map(({ event, group, index, text: written }) => ({ event, group, index, written }));
        const plan = install(harnessOf, bytes(text));
        expect(foreignOf(plan.after as Uint8Array)).toEqual(foreignOf(bytes(text)));
        expect(plan.notices.filter((notice) => notice.includes("moved"))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

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

function survey(harnessOf: Harness, data: Uint8Array) {
  return surveyHandlers(parseJsonText("/h/f.json", data), shapeOf(harnessOf), (command) =>
    isOurs(harnessOf, command),
  );
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
