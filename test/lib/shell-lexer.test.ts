import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { recogniseCommit } from "../../src/lib/shell-commit.ts";
import { checkCommits } from "./commit-rows.ts";

describe("commands that cannot be read count when they name git", () => {
  checkCommits([
    ["echo 'oops; git x", "unknown"],
    ["echo 'oops; git status", undefined],
    ["cd a && git commit -m 'oops", "commit", "a"],
    ["cd a && echo 'oops; git x", "unknown", "a"],
    ['cd a; git tag -m "$(cat <<E\nx\nE)" && git x', "unknown", "a"],
    ["echo $(git \\\nstatus", "unknown"],
    [`${"$(".repeat(100)}git x${")".repeat(100)}`, "unknown"],
    [`${" ".repeat(300_000)}git commit`, "unknown"],
    ["echo 'oops; ls digits", undefined],
  ]);
});

const pieces = fc.constantFrom(
  ..."git|commit|cd|-C|a| |\n|;|&&|&|(|)|$(|\u0024{|}|{|`|'|\"|\\|<<EOF|EOF|#|$'|~|*|..|../a|/|-".split("|"),
  ...["|", "||", "bash -c", "eval", "-c", "--git-dir", "--git-dir=", "=", "A=", "$A", "$PWD", "for d in"],
  ...["export", "pushd", "popd", "env -C", "jj", "hub", "C:\\", "\\n", '["', '", "', "\0", "\u{1f600}"],
);

describe("hostile text", () => {
  test("never makes it throw, and the answer fits the daemon's schema", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.string({ unit: "binary" }), (chosen, text) => {
        const found = recogniseCommit(chosen.join("") + text);
        expect(found?.verb.length ?? 0).toBeLessThanOrEqual(32);
        expect(found?.directories.length ?? 0).toBeLessThanOrEqual(32);
      }),
      { numRuns: 3000 },
    );
  });

  test("a readable command that runs `git commit` is never missed", () => {
    const noise = fc.array(
      fc.constantFrom("ls", "cd a", "(echo x)", "'q r'", '"$(date)"', "A=1", "x # y\n", "{ ls; }", "a || b"),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const line = [...before, "git commit -m 'x'", ...after].join(" ; ");
        expect(recogniseCommit(line)?.verb).toBe("commit");
      }),
    );
  });

  /** Of the processor's time: others may be using it as well. */
  const slow = (text: string) => {
    const start = process.cpuUsage();
    recogniseCommit(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };

  test.each([
    ...[
      "$(",
      "\u0024{",
      "`",
      "git -c ",
      "cd a;",
      "bash -c 'git ",
      "\\",
      '"git ',
      "<<E git\n",
      "[git",
      "(git;",
    ],
    ...[
      "$'git\\",
      "A=$A$A;",
      "A=$PWD;cd $A/a;",
      "$A git ",
      "cd ../",
      "cd a/b;cd ..;",
      "cd -;",
      "{ git;",
      "};",
    ],
    ...[
      "cd /a||",
      "\\a",
      "C:\\",
      "pushd a;",
      "for d in git;",
      "git --git-dir=.git ",
      "'\",",
      "~",
      "A=~",
      "\\n",
    ],
  ])("takes time linear in a repeated %j", (unit) => {
    expect(slow(`git ${unit.repeat(240_000 / unit.length)}`)).toBeLessThan(2000);
  });

  test("takes time linear in the uses of a variable that holds a command", () => {
    expect(slow(`A='git ${"'x' ".repeat(120)}'; ${"echo $A;".repeat(30_000)}`)).toBeLessThan(2000);
    expect(slow(`A=git\\ ${"-c x ".repeat(90)}; ${"$A;".repeat(70_000)}`)).toBeLessThan(2000);
  });

  test("takes time linear in the length of the way there and back", () => {
    const deep = "a/".repeat(2000);
    const up = "../".repeat(1300);
    expect(slow(`git x; ${`cd ${deep} && cd ${up};`.repeat(30)}`)).toBeLessThan(2000);
  });
});
