import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { editJson } from "../../src/edit/json.ts";
import { type JsonText, parseJsonText } from "../../src/edit/json-text.ts";
import { encodeText, type TreeEdit, type TreePath } from "../../src/edit/tree.ts";
import { layouts, values, write } from "./arbitrary-json.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const parse = (text: string) => parseJsonText("/x/settings.json", new TextEncoder().encode(text));
const textOf = (document: JsonText) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeText(document));
const edited = (text: string, edit: TreeEdit) => textOf(editJson(parse(text), edit));

describe("appending", () => {
  const member = (at: TreePath, key = "new"): TreeEdit => ({ kind: "append", at, key, value: { x: [1] } });

  test.each([
    ["pretty", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "new": {\n    "x": [\n      1\n    ]\n  }\n}\n'],
    ["tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": {\n\t\t"x": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    [
      "CRLF",
      '{\r\n  "a": 1\r\n}',
      '{\r\n  "a": 1,\r\n  "new": {\r\n    "x": [\r\n      1\r\n    ]\r\n  }\r\n}',
    ],
    ["compact", '{"a":1}', '{"a":1,"new":{"x":[1]}}'],
    ["one line", '{ "a": 1 }', '{ "a": 1, "new": {"x": [1]} }'],
    ["trailing comma", '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "new": {\n    "x": [\n      1\n    ]\n  },\n}'],
    [
      "line comment",
      '{\n  "a": 1 // c\n}',
      '{\n  "a": 1, // c\n  "new": {\n    "x": [\n      1\n    ]\n  }\n}',
    ],
    [
      "comment line",
      '{\n  "a": 1\n  // c\n}',
      '{\n  "a": 1,\n  "new": {\n    "x": [\n      1\n    ]\n  }\n  // c\n}',
    ],
    ["empty", "{}", '{\n  "new": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ["empty, commented", "{ // c\n}", '{ // c\n  "new": {\n    "x": [\n      1\n    ]\n  }\n}'],
    ["byte order mark", '\ufeff{"a":1}', '\ufeff{"a":1,"new":{"x":[1]}}'],
  ])("a member follows its neighbours: %s", (_, before, after) =>
    expect(edited(before, member([]))).toBe(after),
  );

  test("an element of an array whose brackets share lines with its objects stays in that form", () => {
    expect(edited('{\n  "a": [{\n    "b": 1\n  }]\n}', { kind: "append", at: ["a"], value: { c: 2 } })).toBe(
      '{\n  "a": [{\n    "b": 1\n  }, {\n    "c": 2\n  }]\n}',
    );
  });

  test("an empty container in an object on one line is filled on that line", () => {
    const edit: TreeEdit = { kind: "append", at: ["a", "b"], value: { c: 2 } };
    expect(edited('{\n  "a": {"b": []}\n}', edit)).toBe('{\n  "a": {"b": [{"c": 2}]}\n}');
  });

  test("numbers that JavaScript cannot hold and escapes keep their spelling", () => {
    const before = '{\n  "n": 12345678901234567890.10,\n  "s": "\\u0041\\/"\n}';
    expect(edited(before, member([]))).toStartWith(
      '{\n  "n": 12345678901234567890.10,\n  "s": "\\u0041\\/",',
    );
  });
});

describe("creating", () => {
  const create: TreeEdit = { kind: "create", value: { a: 1 } };
  test.each([
    ["", '{\n  "a": 1\n}\n'],
    [" \n\n", '{\n  "a": 1\n}\n'],
    ["// only a comment", '// only a comment\n{\n  "a": 1\n}\n'],
    ["\ufeff\r\n", '\ufeff{\r\n  "a": 1\r\n}\r\n'],
  ])("%j becomes a document", (before, after) => expect(edited(before, create)).toBe(after));

  test("a document that exists is never created over", () => {
    expect(() => edited("{}", create)).toThrow("end of file expected");
  });
});

describe("replacing and removing", () => {
  test("a value on one line is replaced on one line", () => {
    expect(edited('{\n  "a": { "b": 1 }\n}', { kind: "replace", at: ["a"], value: { c: [2] } })).toBe(
      '{\n  "a": {"c": [2]}\n}',
    );
  });

  test.each([
    ["first", "[1, 2, 3]", 0, "[2, 3]"],
    ["middle", "[1, 2, 3]", 1, "[1, 3]"],
    ["last", "[1, 2, 3]", 2, "[1, 2]"],
    ["only", "[ 1 ]", 0, "[]"],
    ["only, trailing comma", "[\n  1,\n]", 0, "[]"],
    ["last, trailing comma", "[\n  1,\n  2,\n]", 1, "[\n  1,\n]"],
    ["after a line comment", "[\n  1, // c\n  2\n]", 1, "[\n  1 // c\n]"],
    ["before something on its line", "[\n  // c\n  1, 2\n]", 0, "[\n  // c\n  2\n]"],
  ])("an element goes with one comma: %s", (_, before, index, after) =>
    expect(edited(before, { kind: "remove", at: [index] })).toBe(after),
  );
});

describe("G4: refusing", () => {
  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', "/x/settings.json:3:3: comma expected"],
    ["{} {}", "/x/settings.json:1:4: end of file expected"],
    ['{"a": nope}', "/x/settings.json:1:7: invalid symbol"],
    ['{"a": "x', "/x/settings.json:1:7: unexpected end of string"],
    ["\r\n{", "/x/settings.json:2:2: close brace expected"],
    ["[".repeat(100_000), "/x/settings.json:1:201: nested deeper than 200 levels"],
  ])("%j names file, line, column and reason", (text, message) => expect(() => parse(text)).toThrow(message));

  test("bytes that are no UTF-8 are refused", () => {
    expect(() => parseJsonText("/x", new Uint8Array([0x7b, 0xff, 0x7d]))).toThrow("/x is not UTF-8 text");
  });
});

describe("G4: any document", () => {
  const documents = fc.tuple(values, layouts).map(([value, layout]) => write(value, layout));

  test("every append, replacement and removal anywhere in it is proved safe", () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.integer({ min: 0, max: 2 }), (text, pick, operation) => {
        const before = parse(text);
        const paths = pathsOf(before.root).filter((path) => operation === 0 || path.length > 0);
        const at = paths[pick % Math.max(1, paths.length)];
        if (!at) return;
        const edit = editAt(before, at, operation);
        if (edit) editJson(before, edit);
      }),
      { numRuns: 1000 },
    );
  });

  test("removing what was appended to a container with children gives the same bytes", () => {
    fc.assert(
      fc.property(documents, fc.nat(), (text, pick) => {
        const before = parse(text);
        const filled = pathsOf(before.root).filter(
          (path) => (nodeOf(before, path)?.children ?? []).length > 0,
        );
        const at = filled[pick % Math.max(1, filled.length)];
        if (!at) return;
        const edit = editAt(before, at, 0);
        if (!edit) return;
        const step =
          edit.kind === "append" && edit.key !== undefined ? edit.key : nodeOf(before, at)?.children?.length;
        const after = editJson(editJson(before, edit), { kind: "remove", at: [...at, step ?? 0] });
        expect(textOf(after)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

type Node = NonNullable<JsonText["root"]>;

function pathsOf(node: Node | undefined, path: TreePath = []): TreePath[] {
  if (!node) return [];
  const children = (node.children ?? []).flatMap((child, index) => {
    const value = child.type === "property" ? child.children?.[1] : child;
    return pathsOf(value, [...path, child.type === "property" ? String(child.children?.[0]?.value) : index]);
  });
  return [path, ...children];
}

function nodeOf(document: JsonText, path: TreePath): Node | undefined {
  let node = document.root;
  for (const step of path) {
    const child: Node | undefined =
      typeof step === "number"
        ? node?.children?.[step]
        : node?.children?.find((property) => property.children?.[0]?.value === step)?.children?.[1];
    node = child;
  }
  return node;
}

function editAt(document: JsonText, at: TreePath, operation: number): TreeEdit | undefined {
  const value = { hooks: [{ command: "x y", timeout: 10 }] };
  if (operation === 1) return { kind: "replace", at, value };
  if (operation === 2) return { kind: "remove", at };
  const type = nodeOf(document, at)?.type;
  if (type === "array") return { kind: "append", at, value };
  return type === "object" ? { kind: "append", at, key: "appended key", value } : undefined;
}
