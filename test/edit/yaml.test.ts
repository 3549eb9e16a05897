import { describe, expect, test } from "bun:test";
import { encodeText, type TreeEdit, type TreePath } from "../../src/edit/tree.ts";
import { editYaml } from "../../src/edit/yaml.ts";
import { parseYamlText } from "../../src/edit/yaml-text.ts";
import { RoborevError } from "../../src/lib/errors.ts";

const parse = (text: string) => parseYamlText("/h/c.yaml", new TextEncoder().encode(text));
const edit = (text: string, change: TreeEdit) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeText(editYaml(parse(text), change)));

const entry = { command: "/bin/x run --a 'b'", matcher: "terminal", timeout: 10 };
const append = (text: string, at: TreePath, key?: string) =>
  edit(text, {
    kind: "append",
    at,
    ...(key === undefined ? {} : { key }),
    value: key === undefined ? entry : [entry],
  });
const remove = (text: string, at: TreePath) => edit(text, { kind: "remove", at });

describe("YAML: what is added looks like its neighbours, and taking it away again gives the same bytes", () => {
  const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");
  const command = `command: "/bin/x run --a 'b'"`;
  test.each<[string, string, TreePath, string | undefined, string]>([
    [
      "at the end of a file, behind its comments",
      lines("model: x # one", "# two", "", "# three"),
      [],
      "hooks",
      lines(
        "model: x # one",
        "# two",
        "",
        "# three",
        "hooks:",
        `  - ${command}`,
        "    matcher: terminal",
        "    timeout: 10",
      ),
    ],
    [
      "without a final line break",
      "a: 1\nmodel: x",
      [],
      "hooks",
      `a: 1\nmodel: x\nhooks:\n  - ${command}\n    matcher: terminal\n    timeout: 10`,
    ],
    [
      "dashes below their key are not indented where the others are not",
      lines("hooks:", "  a:", "  - command: b", "    # c", "  # d", "model: x"),
      ["hooks"],
      "new",
      lines(
        "hooks:",
        "  a:",
        "  - command: b",
        "  new:",
        `  - ${command}`,
        "    matcher: terminal",
        "    timeout: 10",
        "    # c",
        "  # d",
        "model: x",
      ),
    ],
    [
      "wide indentation, wide dashes",
      lines("hooks:", "    a:", "      -   command: b  # mine", "    z: 1"),
      ["hooks", "a"],
      undefined,
      lines(
        "hooks:",
        "    a:",
        "      -   command: b  # mine",
        `      -   ${command}`,
        "          matcher: terminal",
        "          timeout: 10",
        "    z: 1",
      ),
    ],
    [
      "in flow style",
      "hooks: {a: [1, {b: c}], d: 'e'}\n",
      ["hooks", "a"],
      undefined,
      `hooks: {a: [1, {b: c}, {"command": "/bin/x run --a 'b'", "matcher": "terminal", "timeout": 10}], d: 'e'}\n`,
    ],
    [
      "in flow style with a trailing comma",
      "hooks: {\n  a: [], # x\n}\n",
      ["hooks"],
      "new",
      `hooks: {\n  a: [],\n  "new": [{"command": "/bin/x run --a 'b'", "matcher": "terminal", "timeout": 10}], # x\n}\n`,
    ],
    [
      "after a block scalar that keeps its line breaks",
      lines("hooks:", "  a: |+", "    text", "", "model: x"),
      ["hooks"],
      "new",
      lines(
        "hooks:",
        "  a: |+",
        "    text",
        "",
        "  new:",
        `    - ${command}`,
        "      matcher: terminal",
        "      timeout: 10",
        "model: x",
      ),
    ],
    [
      "in front of a document end",
      lines("---", "model: x", "..."),
      [],
      "hooks",
      lines("---", "model: x", "hooks:", `  - ${command}`, "    matcher: terminal", "    timeout: 10", "..."),
    ],
  ])("%s", (_, before, at, key, after) => {
    for (const convert of [
      (text: string) => text,
      (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}`,
    ]) {
      const text = convert(before);
      expect(append(text, at, key)).toBe(convert(after));
      const index = key ?? (nodeCount(text, at) as number);
      expect(remove(convert(after), [...at, index])).toBe(text);
    }
  });

  const nodeCount = (text: string, at: TreePath) => {
    let value: unknown = parse(text).document.toJS();
    for (const step of at) value = (value as Record<string, unknown>)[step];
    return (value as unknown[]).length;
  };

  test.each([
    ["hooks: {} # mine\nmodel: x\n", "hooks: # mine\n  new:\n"],
    ["hooks:   { }\n", "hooks:\n  new:\n"],
    ["hooks:", "hooks:\n  new:\n"],
    ["hooks:  # mine\n  # a: []\nmodel: x\n", "hooks:  # mine\n  new:\n"],
  ])("empty brackets give way to lines: %j", (text, start) => {
    expect(append(text, ["hooks"], "new")).toStartWith(start);
  });

  test.each(["", "\n", "# note\n", "---\n", "# a\n---\n# b", "\ufeff"])("a first value in %j", (text) => {
    const after = edit(text, { kind: "create", value: { hooks: { a: [entry] } } });
    expect(parse(after).document.toJS()).toEqual({ hooks: { a: [entry] } });
    expect(after).toStartWith(text.trimEnd());
  });

  test("a value is replaced where it stands", () => {
    const text = "hooks:\n  a:\n    - command: old\n      timeout: 5 # s\n    # x\n    - {command: b}\n";
    expect(edit(text, { kind: "replace", at: ["hooks", "a", 0], value: { command: "c d" } })).toBe(
      'hooks:\n  a:\n    - command: "c d" # s\n    # x\n    - {command: b}\n',
    );
    expect(edit(text, { kind: "replace", at: ["hooks", "a", 1], value: { command: "c d" } })).toEndWith(
      '    - {"command": "c d"}\n',
    );
  });

  test("words that some reader takes for something else are quoted", () => {
    const words = [
      "yes",
      "on",
      "no",
      "null",
      "1e3",
      "0x1",
      "a: b",
      "- a",
      "#c",
      "",
      "\u2028",
      "*x",
      "é",
      "12:30",
      "~",
    ];
    const after = edit("a: 1\n", { kind: "append", at: [], key: "b", value: words });
    expect(parse(after).document.toJS()).toEqual({ a: 1, b: words });
  });
});

describe("YAML: what is ambiguous is refused with its place", () => {
  const base = "base: &b\n  a:\n    - command: x\n";
  test.each<[string, TreePath, string]>([
    [`${base}hooks: *b\n`, ["hooks"], "hooks comes from an alias"],
    [`${base}hooks:\n  <<: *b\n`, ["hooks", "a"], "hooks.a comes from a merge key"],
    [`${base}hooks:\n  <<: [*b]\n`, ["hooks", "a"], "hooks.a comes from a merge key"],
    [
      "hooks: &h\n  a: []\nother: *h\n",
      ["hooks", "a"],
      "/h/c.yaml:1:1: hooks has an anchor that an alias refers to",
    ],
    ["hooks:\n  a: &l\n    - 1\n  b: *l\n", ["hooks", "a"], "hooks.a has an anchor"],
  ])("%j at %p", (text, at, message) => {
    expect(() => append(text, at)).toThrow(message);
    expect(() => append(text, at)).toThrow(RoborevError);
  });

  test("an anchor that nothing refers to, and merge keys beside the place, are no obstacle", () => {
    const text = `${base}hooks: &h\n  <<: *b\n  c:\n    - command: y\n`;
    const after = append(text, ["hooks", "c"]);
    expect(after).toStartWith(text);
    expect(remove(after, ["hooks", "c", 1])).toBe(text);
  });

  test("what would get its line break from us, after the end of the file", () => {
    const message = "/h/c.yaml:2:5: a text block at the end of the file needs a line break behind it";
    for (const start of ["a:\n  - |", "a:\n  - >+ # x", "a:\n  - |2"]) {
      expect(() => append(`${start}\n    text`, [], "hooks")).toThrow(message);
      expect(() => append(`${start}\n    text`, ["a"])).toThrow(message);
      expect(append(`b: []\n${start}\n    text`, ["b"])).toEndWith("    text");
      expect(append(`${start}\n    text\n`, ["a"])).toStartWith(`${start}\n    text\n  - command`);
    }
    expect(append("a: |-\n  text", [], "hooks")).toStartWith("a: |-\n  text\nhooks:\n");
  });

  test.each([
    ["a: 1\na: 2\n", "/h/c.yaml:2:1: this key stands twice in its map"],
    ["a:\n  b: 1\n c: 2\n", "/h/c.yaml:3:"],
    ["a: [1, 2\n", "/h/c.yaml:"],
    ["a: 1\n---\nb: 2\n", "/h/c.yaml:2:1: "],
    ["a: 1\rb: 2\n", "/h/c.yaml:1:5: a carriage return without a line feed"],
    ["a: *nowhere\n", "/h/c.yaml:1:4: "],
    ["a: &a [*a]\n", "an alias inside of what it stands for"],
    ["\ta: 1\n", "/h/c.yaml:1:1: "],
    [`a: ${"[".repeat(100_000)}`, "/h/c.yaml"],
    [
      "a: &a [x,x,x,x,x,x,x,x,x,x]\n" +
        ["b", "c", "d", "e", "f", "g"]
          .map((n, i) => `${n}: &${n} [${Array(10).fill(`*${"abcdef"[i]}`)}]\n`)
          .join(""),
      "aliases stand for too much",
    ],
  ])("file %#", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  test("bytes that are no UTF-8", () => {
    expect(() => parseYamlText("/h/c.yaml", new Uint8Array([0xff]))).toThrow("/h/c.yaml is not UTF-8 text");
  });
});
