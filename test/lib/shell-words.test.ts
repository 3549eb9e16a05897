import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { splitCommand } from "../../src/lib/shell-words.ts";

const accepted: [string, string[]][] = [
  ["roborev agent-hook run --agent qwen", ["roborev", "agent-hook", "run", "--agent", "qwen"]],
  ["roborev agent-hook run --agent=qwen", ["roborev", "agent-hook", "run", "--agent=qwen"]],
  [
    '"/opt/Roborev Dev" agent-hook run --agent "qwen"',
    ["/opt/Roborev Dev", "agent-hook", "run", "--agent", "qwen"],
  ],
  ["  a   b  ", ["a", "b"]],
  ["", []],
  ["'C:\\Program Files\\roborev.exe' run", ["C:\\Program Files\\roborev.exe", "run"]],
  ["a\\ b c", ["a b", "c"]],
  // POSIX: in double quotes a backslash is itself, except before $ ` " and \\
  ['"C:\\Program Files\\roborev.exe" "\\\\a\\b" "\\`"', ["C:\\Program Files\\roborev.exe", "\\a\\b", "`"]],
  ["'it'\\''s' \"a\\\"b\" ''\"\"", ["it's", 'a"b', ""]],
  ["--agent \"\\$(agent)\" '$(agent)'", ["--agent", "$(agent)", "$(agent)"]],
  ["~/bin/x *.ts {a,b} $HOME !x A=1", ["~/bin/x", "*.ts", "{a,b}", "$HOME", "!x", "A=1"]],
  ['x "#(;|&<>"', ["x", "#(;|&<>"]],
];

const refused: [string, string][] = [
  ["run --agent qwen; x", "hook command contains unsupported shell operator ;"],
  ["run --agent qwen && x", "hook command contains unsupported shell operator &"],
  ["run --agent qwen | x", "hook command contains unsupported shell operator |"],
  ["run --agent qwen > f", "hook command contains unsupported shell operator >"],
  ["run --agent qwen < f", "hook command contains unsupported shell operator <"],
  ["run --agent qwen #c", "hook command contains unsupported shell operator #"],
  ["run --agent $(agent)", "hook command contains unsupported shell operator ("],
  ["run x)", "hook command contains unsupported shell operator )"],
  ["run --agent `agent`", "hook command contains unsupported shell operator `"],
  ['run --agent "`agent`"', "hook command contains unsupported shell operator `"],
  ['run --agent "$(agent)"', "hook command contains unsupported shell operator $("],
  ["run\n--agent qwen", "hook command must be a single command line"],
  ["run\t--agent qwen", "hook command must be a single command line"],
  ["run \0", "hook command must be a single command line"],
  ["run 'a", "hook command contains unterminated quote"],
  ['run "a', "hook command contains unterminated quote"],
  ['run "a\\', "hook command contains unterminated quote"],
  ["run a\\", "hook command contains incomplete escape"],
];

describe("the words of a hook command (scenario 106)", () => {
  test.each(accepted)("%j splits", (text, words) => expect(splitCommand(text)).toEqual({ words }));
  test.each(refused)("%j is refused: %s", (text, error) => expect(splitCommand(text)).toEqual({ error }));

  test("a word in single quotes comes back whole, whatever it holds", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        const clean = words.map((word) => word.replace(/[\u0000-\u001f\u007f-\u009f]/g, "_"));
        const line = clean.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
        expect(splitCommand(line)).toEqual({ words: clean });
      }),
    );
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        splitCommand(text);
      }),
    );
  });
});
