import { afterAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { eventDirectory } from "../../../src/daemon/agent-hook/directory.ts";
import { recogniseCommit } from "../../../src/lib/shell-commit.ts";
import { tempDir } from "../../support/temp.ts";

// What the recogniser says of a text, against what `sh` does with it: the git on its PATH writes down its sub-command
// and the directory that it would work in.
const git = `#!/bin/sh
tree=\${GIT_WORK_TREE:-\${GIT_DIR%/.git}}
while :; do
  case $1 in
    -C) cd "$2" || exit 128; shift 2;;
    -c) shift 2;;
    --git-dir=*) tree=\${1#--git-dir=}; tree=\${tree%/.git}; shift;;
    --work-tree=*) tree=\${1#--work-tree=}; shift;;
    -*) shift;;
    *) break;;
  esac
done
cd "\${tree:-.}" || exit 128
echo "$1 $(pwd -P)" >> "$GIT_CALLS"
`;

const root = tempDir();
afterAll(() => root[Symbol.dispose]());
const work = root.join("work");
const calls = root.join("calls");
for (const directory of ["a/deep", "b c", "a/a/deep"]) mkdirSync(join(work, directory), { recursive: true });
mkdirSync(root.join("bin"));
writeFileSync(root.join("bin/git"), git);
chmodSync(root.join("bin/git"), 0o755);

/** The calls of git that a shell makes when it runs the text. */
function run(command: string): { verb: string; directory: string }[] {
  rmSync(calls, { force: true });
  Bun.spawnSync(["sh", "-c", command], {
    cwd: work,
    env: { PATH: `${root.join("bin")}:${process.env.PATH}`, GIT_CALLS: calls, HOME: root.path, PWD: work },
    stdin: null,
  });
  const lines = existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : [];
  return lines.map((line) => ({
    verb: line.split(" ", 1)[0] ?? "",
    directory: line.slice(line.indexOf(" ") + 1),
  }));
}

const words = (...texts: string[]) => fc.constantFrom(...texts);

const moves = words(
  ...[
    "",
    "cd a && ",
    "cd a; ",
    "cd 'b c' && ",
    "cd b\\ c && ",
    "cd nope; ",
    "cd a/deep && cd .. && ",
    "cd a/deep; ",
  ],
  ...[
    "cd a && cd - >/dev/null && ",
    "cd $PWD/a && ",
    'cd "$(pwd)/a" && ',
    "X=a; cd $X && ",
    "X=$PWD/a; cd / && cd $X; ",
  ],
  ...[
    "(cd a && true); ",
    "{ cd a; } && ",
    "cd a | cat; ",
    "cd a & wait; ",
    "{ cd a; true; } | cat; ",
    "true | { cd a; }; ",
  ],
  ...[
    "cd a && true & wait; ",
    "cd nope 2>/dev/null || cd a; ",
    "cd a || cd nope; ",
    "cd ~/work/a && ",
    "case x in x) cd a;; esac; ",
    "for X in a; do cd $X; done; ",
    "while :; do cd a; break; done; ",
    "X='git -C a'; $X log; ",
    "cd 2>/dev/null a >&2; ",
    "cd a; cd deep; cd - >/dev/null; ",
    "cd a/; cd ../; ",
    'X=$(pwd); cd a && cd "$X" && ',
    "export X=1; ",
  ],
  ...[
    "git status >/dev/null && ",
    "git -C a log; ",
    "git add -A\n",
    "echo it\\'s; ",
    "cat <<E >/dev/null\nit's\nE\n",
  ],
  ...[
    "cd a \\\n && ",
    "if true; then cd a; fi; ",
    "# don't\n",
    "mkdir -p new && cd new && cd .. && ",
    "cd a && (cd deep); ",
  ],
);
const wrappers = words(
  ...[
    "",
    "",
    "env ",
    "env X=1 ",
    "env -C a ",
    "env --chdir=a ",
    "timeout 60 ",
    "nohup ",
    "nice -n 5 ",
    "stdbuf -oL ",
  ],
  ...[
    "command ",
    "exec ",
    "X=1 ",
    "GIT_EDITOR=true A='b c' ",
    "! ",
    "echo x | xargs ",
    "env -u X nice ",
    "\\",
  ],
  ...["GIT_WORK_TREE=$PWD/a ", "GIT_DIR=a/.git ", "env GIT_DIR=a/.git ", "true && ", "false || ", "true | "],
);
const options = words(
  ...["", "", "-c a=b ", "-C a ", "-C 'b c' ", "-P ", "--no-pager ", "-C a -C deep ", "-C a -C .. ", "-C . "],
  ...["--git-dir=a/.git --work-tree=a ", "--work-tree=a ", '-C "$PWD/a" ', "-c x='y z' -C a/deep "],
);
const verbs = words(
  ...[
    "commit -m x",
    "commit -m 'it''s # git merge'",
    "commit -m \"$(cat <<'E'\nit's (a) `b`\nE\n)\"",
    "merge --no-ff x",
  ],
  ...[
    "rebase --continue",
    "pull",
    "am x",
    "revert HEAD",
    "cherry-pick x",
    "ci",
    "commit --amend <<E\n'\nE\n",
  ],
);
const ends = words(
  "",
  " && git push",
  "; git status",
  " | cat",
  " 2>&1 | tail -1",
  " # git rebase",
  "; cd a; git log",
);

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const outers = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text,
  (text) => `sh -c ${quoted(text)}`,
  (text) => `cd a && sh -c ${quoted(text)}`,
  (text) => `eval ${quoted(text)}`,
  (text) => `(${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `for i in a; do ${text}\ndone`,
  (text) => `f() { ${text}\n}; f`,
  (text) => `echo "$(${text}\n)"`,
  (text) => `sh <<'END'\n${text}\nEND`,
  (text) => `${text}\n true & wait`,
);

test("a command that commits when a shell runs it is recognised, with its directory and verb", () => {
  let committed = 0;
  fc.assert(
    fc.property(moves, wrappers, options, verbs, ends, outers, (move, wrapper, option, verb, end, outer) => {
      const command = outer(`${move}${wrapper}git ${option}${verb}${end}`);
      const made = run(command).find((call) => !["status", "log", "add", "push"].includes(call.verb));
      if (made === undefined) return;
      committed++;
      const found = recogniseCommit(command);
      expect(found?.verb).toBe(made.verb === "ci" ? "unknown" : made.verb);
      expect(
        eventDirectory({
          session_id: "s",
          hook_event_name: "PostToolUse",
          cwd: work,
          ...(found && { commit: { ...found, directories: found.directories.map(expandHome) } }),
        }),
      ).toBe(made.directory);
    }),
    { numRuns: 400 },
  );
  expect(committed).toBeGreaterThan(200);
}, 120_000);

const expandHome = (step: string) => (step.startsWith("~") ? root.path + step.slice(1) : step);
