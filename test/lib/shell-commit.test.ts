import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { recogniseCommit } from "../../src/lib/shell-commit.ts";

type Row = [command: string, verb: string | undefined, ...directories: string[]];

function check(rows: Row[]) {
  test.each(rows)("%j", (command, verb, ...directories) => {
    expect(recogniseCommit(command)).toEqual(verb === undefined ? undefined : { verb, directories });
  });
}

describe("the scenarios 1 to 11", () => {
  check([
    ["git commit", "commit"],
    ["git -C /p cherry-pick", "cherry-pick", "/p"],
    ['git -C "/a b" commit', "commit", "/a b"],
    ["git -C \u0024{X} commit", "commit"],
    ["git -C $(pwd) commit", "commit"],
    ["git -c k=$(pwd) commit", "commit"],
    ["git revert HEAD", "revert"],
    ["git add -A && git commit", "commit"],
    ["git -C sub status && git commit -m x", "commit"],
    ["git status && git -C sub commit", "commit", "sub"],
    ["git -C /nope commit", "commit", "/nope"],
    ["git status", undefined],
    ["ls -C sub", undefined],
    ["", undefined],
  ]);
});

describe("rows of the recogniser table, its former no-rows included", () => {
  check([
    ["git commit -m x", "commit"],
    ["git -C sub commit", "commit", "sub"],
    ["git -c user.name=t -C sub commit", "commit", "sub"],
    ['git -C "/a b" cherry-pick x', "cherry-pick", "/a b"],
    ["(git commit -m x)", "commit"],
    ["git merge x", "merge"],
    ["git pull", "pull"],
    ["git rebase main", "rebase"],
    ["git am < p.patch", "am"],
    ['bash -c "git commit"', "commit"],
    ["$(git commit)", "commit"],
    ["git ci -m x", "unknown"],
    ["make release", undefined],
    ["git status && git -C sub log", undefined],
  ]);
});

describe("where git runs", () => {
  check([
    ["cd sub && git commit -m x", "commit", "sub"],
    ["cd sub; cd ../other; git commit", "commit", "sub", "../other"],
    ["cd -- sub && git -C deeper commit", "commit", "sub", "deeper"],
    ["(cd sub; git commit)", "commit", "sub"],
    ["(cd sub; ls) && git commit", "commit"],
    ["{ cd sub; ls; } && git commit", "commit", "sub"],
    ["pushd sub && git commit && popd", "commit", "sub"],
    ["pushd sub && ls && popd && git commit", "commit"],
    ["if cd sub; then git commit; fi", "commit", "sub"],
    ["cd ~/proj && git commit", "commit", "~/proj"],
    ['cd "$HOME/proj" && git commit', "commit", "~/proj"],
    ["cd '~/proj' && git commit", "commit", "./~/proj"],
    ["cd ~other/proj && git commit", "commit"],
    ["cd && git commit", "commit", "~"],
    ["cd - && git commit", "commit"],
    ['cd "$(git rev-parse --show-toplevel)" && git commit', "commit"],
    ["cd $PWD/a && git commit", "commit", "./a"],
    ["cd a >/dev/null 2>&1 && git commit", "commit", "a"],
    ["cd git && git commit", "commit", "git"],
    ["git --work-tree=/w --git-dir=/w/.git commit", "commit", "/w", "/w"],
    ["git --git-dir /r/.git commit", "commit", "/r"],
    ["git --git-dir=.git commit", "commit"],
    ["GIT_WORK_TREE=/w git commit", "commit", "/w"],
    ["GIT_DIR=/r/.git git commit", "commit", "/r"],
    ["bash -lc 'cd sub && git commit'", "commit", "sub"],
    ["sudo sh -c 'cd sub; git commit -m \"a b\"'", "commit", "sub"],
    ["git commit -m x && git -C sub push", "commit"],
  ]);
});

describe("however git is called", () => {
  check([
    ["git.exe commit", "commit"],
    ["/usr/bin/git commit", "commit"],
    ["'C:\\Program Files\\Git\\bin\\git.exe' commit", "commit"],
    ["/usr/lib/git-core/git-commit -m x", "commit"],
    ["GIT_AUTHOR_NAME=x A=1 git commit", "commit"],
    ["env -u X git commit", "commit"],
    ["sudo git commit", "commit"],
    ["timeout 5 git commit", "commit"],
    ["! git commit", "commit"],
    ["if true; then git commit; fi", "commit"],
    ["for f in a b; do git commit -m $f; done", "commit"],
    ["f() { git commit; }; f", "commit"],
    ["`git commit`", "commit"],
    ["echo `echo \\`git commit\\``", "commit"],
    ['echo "$(git commit -m "$(date)")"', "commit"],
    ["echo \u0024{x:-$(git commit)}", "commit"],
    ["diff <(git show a) <(git commit)", "commit"],
    ["git \\\n  commit", "commit"],
    ["git status\ngit commit", "commit"],
    ["git log 2>&1 | cat & git commit", "commit"],
    ["eval 'git commit'", "commit"],
    ["find . -name x -exec git commit -m {} \\;", "commit"],
    ["git submodule foreach 'git commit -m x'", "unknown"],
    ["ssh host 'git commit'", "commit"],
    ["bash <<'EOF'\ncd sub\ngit commit\nEOF", "commit", "sub"],
    ["cat > run.sh <<-EOF\n\tgit commit\n\tEOF\n", "commit"],
    ["$GIT commit", "commit"],
    ['git "$verb"', "unknown"],
    ["git -c alias.x=commit x", "unknown"],
    ["echo commit | xargs git", "unknown"],
    ["alias g=git; g commit", "unknown"],
    ["python3 -c \"import subprocess; subprocess.run(['git', 'commit'])\"", "unknown"],
    ["node -e \"execFileSync('git',['commit'])\"", "unknown"],
    ["git bisect run ./x", "unknown"],
    ["git rebase --continue", "rebase"],
  ]);

  test("the usual commit with its message in a heredoc, apostrophes and all", () => {
    const command = `cd pkg && git add -A && git commit -m "$(cat <<'EOF'\nfix: don't (ever) "quote" \`git merge\`\n\nEOF\n)" && git push`;
    expect(recogniseCommit(command)).toEqual({ verb: "commit", directories: ["pkg"] });
  });

  test("a commit verb beats pull and rebase, and what this shell runs beats quoted text", () => {
    expect(recogniseCommit("git pull && cd a && git commit")).toEqual({ verb: "commit", directories: ["a"] });
    expect(recogniseCommit('git pull --rebase && echo "git -C x commit"')).toEqual({
      verb: "pull",
      directories: [],
    });
  });
});

describe("what cannot commit", () => {
  check([
    ["git log --grep commit", undefined],
    ["git diff -- src/commit.ts", undefined],
    ["git", undefined],
    ["git --version", undefined],
    ["which git", undefined],
    ["cat .git/config", undefined],
    ["git clone https://github.com/x/merge.git", undefined],
    ["git status # then git commit", undefined],
    ["digit commit", undefined],
    ["cat .gitignore && gh repo view github.com/x/y.git", undefined],
    ["git log; git diff --stat|cat", undefined],
    ["echo (git status)", undefined],
    ["go test ./... && git stash && git checkout -b pull", undefined],
  ]);
});

describe("commands that cannot be read count when they name git", () => {
  check([
    ["echo 'oops; git x", "unknown"],
    ["echo 'oops; git status", undefined],
    ["cd a && git commit -m 'oops", "commit", "a"],
    ["echo $(git \\\nstatus", "unknown"],
    [`${"$(".repeat(100)}git x${")".repeat(100)}`, "unknown"],
    [`${" ".repeat(300_000)}git commit`, "unknown"],
    ["echo 'oops; ls digits", undefined],
  ]);
});

describe("hostile text", () => {
  const piece = fc.constantFrom(
    ...[
      "git",
      "commit",
      "cd",
      "-C",
      "a",
      " ",
      "\n",
      ";",
      "&&",
      "|",
      "(",
      ")",
      "$(",
      "${",
      "}",
      "`",
      "'",
      '"',
    ],
    ...[
      "\\",
      "<<EOF",
      "EOF",
      "#",
      "$'",
      "~",
      "*",
      "bash -c",
      "eval",
      "-c",
      "--git-dir",
      "=",
      "\0",
      "\u{1f600}",
    ],
  );
  test("never makes it throw, and the answer fits the daemon's schema", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.string({ unit: "binary" }), (pieces, text) => {
        const found = recogniseCommit(pieces.join("") + text);
        expect(found?.verb.length ?? 0).toBeLessThanOrEqual(32);
        expect(found?.directories.length ?? 0).toBeLessThanOrEqual(32);
      }),
      { numRuns: 2000 },
    );
  });

  test("a readable command that runs `git commit` is never missed", () => {
    const noise = fc.array(
      fc.constantFrom("ls", "cd a", "(echo x)", "'q r'", '"$(date)"', "A=1", "x # y\n"),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        const line = [...before, "git commit -m 'x'", ...after].join(" ; ");
        expect(recogniseCommit(line)?.verb).toBe("commit");
      }),
    );
  });

  test.each([
    "$(",
    "${",
    "`",
    "git -c ",
    "cd a;",
    "bash -c 'git ",
    "\\",
    '"git ',
    "<<E git\n",
    "[git",
    "(git;",
    "$'git\\",
  ])("takes time linear in a repeated %j", (unit) => {
    const text = `git ${unit.repeat(240_000 / unit.length)}`;
    const start = performance.now();
    recogniseCommit(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
