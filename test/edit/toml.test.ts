import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse, TomlDate } from "smol-toml";
import { editToml, type TomlEdit, type TomlValue } from "../../src/edit/toml.ts";
import { proveToml } from "../../src/edit/toml-proof.ts";
import { parseTomlText } from "../../src/edit/toml-text.ts";
import { encodeText } from "../../src/edit/tree.ts";
import { RoborevError } from "../../src/lib/errors.ts";
import { type TomlNode, tomlDocuments, tomlKeys, tomlLayouts, writeToml } from "./arbitrary-toml.ts";

const read = (text: string) => parseTomlText("/h/c.toml", new TextEncoder().encode(text));
const edit = (text: string, change: TomlEdit) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(encodeText(editToml(read(text), change)));
const set = (text: string, key: string, value: TomlValue) =>
  edit(text, { kind: "set", path: key.split("."), value });
const unset = (text: string, key: string) => edit(text, { kind: "unset", path: key.split(".") });

describe("TOML: a value is replaced where it stands, quoted as it was", () => {
  test.each<[string, string, TomlValue, string]>([
    ["a = 1 # one\n", "a", 20, "a = 20 # one\n"],
    ["a = 0", "a", "", 'a = ""'],
    ["  a=0x1f\r\nb = 1\r\n", "a", 7, "  a=7\r\nb = 1\r\n"],
    ["'a' = 'x'", "a", "it is", "'a' = 'it is'"],
    ["a = 'x'\n", "a", "it's", 'a = "it\'s"\n'],
    ['a = "x"\n', "a", 'say "a\\b"', 'a = "say \\"a\\\\b\\""\n'],
    ['a = "x"\n', "a", "one\ntwo", 'a = """\none\ntwo"""\n'],
    ['a = "x\\ny"\n', "a", "one\ntwo", 'a = "one\\ntwo"\n'],
    ["a = '''\nx\n'''\n", "a", "one\n\\two\n", "a = '''\none\n\\two\n'''\n"],
    ["a = '''\nx\n'''\n", "a", "one\n'''\n", 'a = """\none\n\'\'\'\n"""\n'],
    ['a = """\nx\n"""\n', "a", 'a "b"\n\t""" "', 'a = """\na "b"\n\t\\"\\"" \\""""\n'],
    ['a = "x"\r\n', "a", "one\ntwo", 'a = "one\\ntwo"\r\n'],
    ['a = "x"\n', "a", "\u0000\u007f\t", 'a = "\\u0000\\u007f\\t"\n'],
    ["t = { a = 1, b = 2 }\n", "t.a", "x\ny", 't = { a = "x\\ny", b = 2 }\n'],
    ["t.a = 1\n[u]\na = 1\n", "u.a", 2, "t.a = 1\n[u]\na = 2\n"],
    ["a = ['x', 'y']\n", "a", ["z", "it's"], "a = ['z', \"it's\"]\n"],
    ['a = [\n  "x",\n  "y",\n]\n', "a", ["z"], 'a = [\n  "z",\n]\n'],
    ["a = [\n  'x',\n]\n", "a", [], "a = []\n"],
    ["\ufeffa = true\n", "a", false, "\ufeffa = false\n"],
  ])("%j: %s = %j", (before, key, value, after) => {
    expect(set(before, key, value)).toBe(after);
    expect(set(after, key, value)).toBe(after);
  });

  test("the value that is there already is left as it is written", () => {
    for (const [text, value] of [
      ["a = 0x10\n", 16],
      ["a = 'x'\n", "x"],
      ["a = [ 'x', # one\n]\n", ["x"]],
    ] as const)
      expect(set(text, "a", value)).toBe(text);
    expect(set("a = 1.0\n", "a", 1)).toBe("a = 1\n");
  });

  test.each<[string, string]>([
    ["a = ['x', \"y\" ]\n", 'a = [\'x\', "y", "z" ]\n'],
    ["a = [\n  'x', # one\n  'y' # two\n]\n", "a = [\n  'x', # one\n  'y', # two\n  'z'\n]\n"],
    ["a = [\n\t'x',\n\t'y', # two\n\t# end\n]\n", "a = [\n\t'x',\n\t'y', # two\n\t'z',\n\t# end\n]\n"],
    ["a = [\r\n 'x',\r\n 'y',\r\n]\r\n", "a = [\r\n 'x',\r\n 'y',\r\n 'z',\r\n]\r\n"],
    ["a = [\n 'x',\n 'y']\n", "a = [\n 'x',\n 'y',\n 'z']\n"],
  ])("a list that grows keeps what is there: %j", (before, after) => {
    expect(set(before, "a", ["x", "y", "z"])).toBe(after);
  });
});

describe("TOML: a new key stands beside its siblings", () => {
  test.each<[string, string, string]>([
    ["", "a", "a = 1\n"],
    ["# head", "a", "# head\na = 1\n"],
    ["# head\n\n[t] # t\n", "a", "# head\n\na = 1\n\n[t] # t\n"],
    ["# head\n\n# of t\n[t]\n", "a", "# head\n\na = 1\n\n# of t\n[t]\n"],
    ["b = 2 # two\n# more\n\n[t]\nc = 3\n", "a", "b = 2 # two\na = 1\n# more\n\n[t]\nc = 3\n"],
    ["b=2", "a", "b=2\na=1"],
    ["# a = 5\n# text\nb = 2\n", "a", "# a = 5\na = 1\n# text\nb = 2\n"],
    ["[t]\n  b = 2\n\n[u]\n", "t.a", "[t]\n  b = 2\n  a = 1\n\n[u]\n"],
    ["[t]\n[u]\n", "t.a", "[t]\na = 1\n[u]\n"],
    ["[t]\n# a = 2\n\n[u]\n# a = 3\n", "t.a", "[t]\n# a = 2\na = 1\n\n[u]\n# a = 3\n"],
    ["b = 1\r\n", "t.a", "b = 1\r\n\r\n[t]\r\na = 1\r\n"],
    ["b = 1", "t.a", "b = 1\n\n[t]\na = 1\n"],
    ["t.b = 2\nc = 3\n", "t.a", "t.b = 2\nt.a = 1\nc = 3\n"],
    ["t = { b = 2 }\n", "t.a", "t = { b = 2, a = 1 }\n"],
    ["t = {}\n", "t.a", "t = { a = 1 }\n"],
    ["t = { b = 2 }\n", "t.x.a", "t = { b = 2, x.a = 1 }\n"],
    ["[t.x]\nb = 2\n", "t.a", "[t.x]\nb = 2\n\n[t]\na = 1\n"],
    ["[[t]]\nb = 2\n", "a", "a = 1\n\n[[t]]\nb = 2\n"],
    ["b = '''\n# a = 3\n'''\n", "a", "b = '''\n# a = 3\n'''\na = 1\n"],
  ])("%j + %s", (before, key, after) => {
    expect(set(before, key, 1)).toBe(after);
  });
});

describe("TOML: a key goes with its line, comments stay", () => {
  test.each<[string, string, string]>([
    ["a = 1\nb = 2\n", "a", "b = 2\n"],
    ["b = 2\na = 1", "a", "b = 2"],
    ["a = 1", "a", ""],
    ["# of a\n  a = 1 # one\nb = 2\n", "a", "# of a\n  # one\nb = 2\n"],
    ["a = '''\nx\n'''\r\nb = 2\r\n", "a", "b = 2\r\n"],
    ["[t]\na = 1\n[u]\n", "t.a", "[t]\n[u]\n"],
    ["t.a = 1\nb = 2\n", "t.a", "b = 2\n"],
    ["t = { a = 1, b = 2, c = 3 }\n", "t.a", "t = { b = 2, c = 3 }\n"],
    ["t = { a = 1, b = 2, c = 3 }\n", "t.b", "t = { a = 1, c = 3 }\n"],
    ["t = { a = 1, b = 2, c = 3 }\n", "t.c", "t = { a = 1, b = 2 }\n"],
    ["t = { a = 1 }\n", "t.a", "t = {}\n"],
    ["b = 2\n", "a", "b = 2\n"],
  ])("%j - %s", (before, key, after) => {
    expect(unset(before, key)).toBe(after);
  });
});

describe("TOML: refused, with the place", () => {
  test.each<[string, string, string]>([
    ["b = 1\na = ['x', # one\n]\n", "a", "/h/c.toml:2: the list has comments between its elements"],
    ["b = 1\n[a]\n", "a", "/h/c.toml:2: a is a table"],
    ["a.b = 1\n", "a", "/h/c.toml:1: a is a table"],
    ["a = {}\n", "a", "/h/c.toml:1: a is a table"],
    ["a = 1\n", "a.b", "/h/c.toml:1: a is not a table"],
    ["[[a]]\n", "a", "/h/c.toml:1: a is a list of tables"],
    ["[[a.b]]\n", "a", "/h/c.toml:1: a is a table"],
    ["[[a]]\n", "a.b", "/h/c.toml:1: a is a list of tables"],
    ["[[a]]\n[a.b]\n", "a.b.c", "/h/c.toml:1: a is a list of tables"],
    ["a = {\n b = 1,\n}\n", "a.c", "/h/c.toml:1: the inline table is spread over several lines"],
  ])("%j: %s", (text, key, message) => {
    expect(() => set(text, key, ["y"])).toThrow(message);
  });

  test.each([
    ["a = 1\na = 2\n", "/h/c.toml:2:"],
    ["a = [1\nb = 2\n", "/h/c.toml:"],
    ["a = = 2\n", "/h/c.toml:1:5: not valid TOML: "],
    [`a = ${"[".repeat(100_000)}`, "/h/c.toml"],
    ["a = 1\rb = 2\n", "/h/c.toml:1:"],
  ])("file %#", (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(RoborevError);
  });

  test("a syntax error repeats nothing of the file", () => {
    expect(() => read('key = "sk-secret"\nb = = 2\n')).toThrow(/^(?!.*sk-secret)[^\n]*$/);
  });
});

describe("TOML: an edit that does more or less than it says is not proved", () => {
  const change: TomlEdit = { kind: "set", path: ["a"], value: 2 };
  const whole = [{ offset: 0, length: 12, text: "" }];
  test.each([
    ["a = 2\nb = 1\n", true],
    ["a = 1\nb = 1\n", false],
    ['a = "2"\nb = 1\n', false],
    ["a = 2.0\nb = 1\n", false],
    ["a = 2\n", false],
    ["a = 2\nb = 1\nc = 1\n", false],
  ])("%j", (text, holds) => {
    const before = read("a = 1\nb = 1\n");
    const prove = (splices: typeof whole) => () => proveToml(before, read(text), change, splices);
    const splices = [{ ...(whole[0] as (typeof whole)[0]), text }];
    if (holds) expect(prove(splices)).not.toThrow();
    else expect(prove(splices)).toThrow("could not be proved");
    // Bytes outside of what was spliced have changed.
    expect(prove([{ offset: 6, length: 6, text: text.slice(6) }])).toThrow("could not be proved");
  });
});

describe("TOML: whatever the document", () => {
  const paths = fc.array(tomlKeys, { minLength: 1, maxLength: 3 });
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom("a\nb", "\n", "it's", '"""', "'''\n", "\\", "\t\r\n", "# text", "x\n'", '\n"'),
  );
  const values: fc.Arbitrary<TomlValue> = fc.oneof(
    texts,
    fc.integer(),
    fc.boolean(),
    fc.array(texts, { maxLength: 3 }),
    fc.constantFrom(["a", "b"], ["a", "b", "c"]),
  );
  const edits: fc.Arbitrary<TomlEdit> = fc.oneof(
    fc.record({ kind: fc.constant("set" as const), path: paths, value: values }),
    fc.record({ kind: fc.constant("unset" as const), path: paths }),
  );

  test("an edit changes what it says and nothing else, or is refused for a reason that is there", () => {
    let made = 0;
    fc.assert(
      fc.property(tomlDocuments, tomlLayouts, edits, (document, layout, change) => {
        const before = writeToml(document, layout);
        let after: string;
        try {
          after = edit(before, change);
        } catch (error) {
          if (!(error instanceof RoborevError) || error.code !== "E_EDIT") throw error;
          expect(mayRefuse(document, change)).toBe(true);
          return;
        }
        made++;
        const holder = change.kind === "unset" ? change.path.slice(0, -1) : [];
        const expected = changed(meaning(before), change);
        expect(withoutEmpty(meaning(after), holder)).toEqual(withoutEmpty(expected, holder));
        expect(after.startsWith("\ufeff")).toBe(layout.byteOrderMark);
        expect(after.match(/# c\d+/g)).toEqual(before.match(/# c\d+/g));
        if (before.includes("\r\n")) expect(after).not.toMatch(/(?<!\r)\n/);
        expectOneSpan(before, after, change);
        if (change.kind === "set") expect(edit(after, change)).toBe(after);
      }),
      { numRuns: 2000 },
    );
    expect(made).toBeGreaterThan(1000);
  }, 120_000);

  test("a key that is set beside others and unset again leaves the same bytes", () => {
    fc.assert(
      fc.property(tomlDocuments, tomlLayouts, values, (document, layout, value) => {
        const before = writeToml({ ...document, "d-1": { text: "1" } }, layout);
        const after = edit(before, { kind: "set", path: ["new"], value });
        expect(edit(after, { kind: "unset", path: ["new"] })).toBe(before);
      }),
      { numRuns: 500 },
    );
  }, 120_000);
});

/** Additions insert one span, removals delete one, and a replacement keeps what is in front and behind. */
function expectOneSpan(before: string, after: string, change: TomlEdit): void {
  const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
  let front = 0;
  while (front < shorter.length && shorter[front] === longer[front]) front++;
  let back = 0;
  while (back < shorter.length - front && shorter.at(-1 - back) === longer.at(-1 - back)) back++;
  const wasSet = at(meaning(before), change.path) !== undefined;
  if (change.kind === "unset" || !wasSet) expect(front + back).toBe(shorter.length);
}

type Plain = Record<string, unknown>;

const meaning = (text: string): Plain =>
  plain(parse(text.replace(/^\ufeff/, ""), { integersAsBigInt: true })) as Plain;

/** Tables without a prototype, dates by their text. */
function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return `date ${value.toISOString()}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const table = Object.create(null);
  for (const [key, child] of Object.entries(value)) table[key] = plain(child);
  return table;
}

function at(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (typeof node === "object" && node !== null ? (node as Plain)[key] : undefined),
    table,
  );
}

function changed(before: Plain, change: TomlEdit): Plain {
  const holder = change.path.slice(0, -1);
  const key = change.path.at(-1) as string;
  if (change.kind === "unset") {
    const table = at(before, holder) as Plain | undefined;
    if (typeof table === "object" && table !== null) delete table[key];
    return before;
  }
  let table = before;
  for (const part of holder) {
    table[part] ??= Object.create(null);
    table = table[part] as Plain;
  }
  table[key] = typeof change.value === "number" ? BigInt(change.value) : change.value;
  return before;
}

/** A table that dotted keys make is gone with the last of them, one with a header stays. */
function withoutEmpty(table: Plain, path: readonly string[]): Plain {
  for (let depth = path.length; depth > 0; depth--) {
    const holder = at(table, path.slice(0, depth - 1)) as Plain | undefined;
    const inner = at(table, path.slice(0, depth));
    if (typeof inner === "object" && inner !== null && Object.keys(inner).length === 0)
      delete holder?.[path[depth - 1] as string];
  }
  return table;
}

/** A value on the way, a table at the end, or comments in the list that is there. */
function mayRefuse(document: Record<string, TomlNode>, { path }: TomlEdit): boolean {
  let members: Record<string, TomlNode> | undefined = document;
  for (const [index, key] of path.entries()) {
    const node: TomlNode | undefined = members?.[key];
    if (node === undefined) return false;
    if (index === path.length - 1) return "members" in node || node.isCommented === true;
    if (!("members" in node)) return true;
    members = node.members;
  }
  return false;
}
