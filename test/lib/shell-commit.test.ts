import { describe, expect, test } from "bun:test";
import { recogniseCommit } from "../../src/lib/shell-commit.ts";
import { checkCommits } from "./commit-rows.ts";

const commit = (...directories: string[]) => ({ verb: "commit", directories });

test("1 `git commit` is a commit in the working directory", () => {
  expect(recogniseCommit("git commit")).toEqual(commit());
  expect(recogniseCommit("git commit -m x")).toEqual(commit());
});

test("2 `git -C /p cherry-pick` is a commit in /p", () =>
  expect(recogniseCommit("git -C /p cherry-pick x")).toEqual({ verb: "cherry-pick", directories: ["/p"] }));

test("3 a quoted directory is taken whole", () =>
  expect(recogniseCommit('git -C "/a b" commit')).toEqual(commit("/a b")));

test("4 `-C $X`, `-C \u0024{X}` and `-C $(…)` are a commit in the working directory", () => {
  for (const where of [
    "$X",
    "\u0024{X}",
    '"\u0024{X}/sub"',
    "$(git rev-parse --show-toplevel)",
    "`x`",
    "\u0024{X:-sub}",
  ])
    expect(recogniseCommit(`git -C ${where} commit`)).toEqual(commit());
});

test("5 a substitution in the value of `-c` changes nothing", () => {
  expect(recogniseCommit("git -c k=$(pwd) commit")).toEqual(commit());
  expect(recogniseCommit("git -c user.name=t -C sub commit")).toEqual(commit("sub"));
});

test("6 `git revert` is a commit", () =>
  expect(recogniseCommit("git revert HEAD")).toEqual({ verb: "revert", directories: [] }));

test("7 `git add -A && git commit` is a commit", () =>
  expect(recogniseCommit("git add -A && git commit")).toEqual(commit()));

test("8 `git -C sub status && git commit` commits in the working directory", () =>
  expect(recogniseCommit("git -C sub status && git commit -m x")).toEqual(commit()));

test("9 `git status && git -C sub commit` commits in sub", () =>
  expect(recogniseCommit("git status && git -C sub commit")).toEqual(commit("sub")));

test("10 a directory that is not there is told all the same: who has a file system leaves it out", () =>
  expect(recogniseCommit("git -C /nope commit")).toEqual(commit("/nope")));

test("11 `git status`, `ls -C sub` and nothing at all are no commits", () => {
  for (const command of ["git status", "git status && git -C sub log", "ls -C sub", "", " \n"])
    expect(recogniseCommit(command)).toBeUndefined();
});

describe("rows that upstream answers with no", () => {
  checkCommits([
    ["(git commit -m x)", "commit"],
    ["git merge x", "merge"],
    ["git merge --no-ff x", "merge"],
    ["git pull", "pull"],
    ["git rebase main", "rebase"],
    ["git am < p.patch", "am"],
    ['bash -c "git commit"', "commit"],
    ["$(git commit)", "commit"],
    ["git ci -m x", "unknown"],
    ["git.exe commit", "commit"],
    ["hub commit -m x", "commit"],
    ["jj commit -m x", "commit"],
    ["jj -R sub squash", "unknown", "sub"],
    ["make release", undefined],
    ["gh pr merge 3 --squash --delete-branch", undefined],
  ]);
});

describe("however git is called", () => {
  checkCommits([
    ["/usr/bin/git commit", "commit"],
    ["\\git commit", "commit"],
    ["'C:\\Program Files\\Git\\bin\\git.exe' commit", "commit"],
    ["C:\\Git\\bin\\git.exe commit", "commit"],
    [".\\bin\\git.EXE commit", "commit"],
    ["& 'C:\\Git\\git.exe' commit", "commit"],
    ["/usr/lib/git-core/git-commit -m x", "commit"],
    ["git-town sync", "unknown"],
    ["npx git-cz", "unknown"],
    ["GIT_AUTHOR_NAME=x A=1 git commit", "commit"],
    ["env -u X git commit", "commit"],
    ["sudo -u me git commit", "commit"],
    ["timeout 60 git commit", "commit"],
    ["nohup nice -n 5 stdbuf -oL git commit", "commit"],
    ["command git commit", "commit"],
    ["! git commit", "commit"],
    ["time -p git commit", "commit"],
    ["git -P commit", "commit"],
    ["git --no-pager -c a=b --exec-path=/x commit", "commit"],
    ["git\tcommit", "commit"],
    ["git 2>/dev/null commit >out", "commit"],
    ["if true; then git commit; fi", "commit"],
    ["if git diff --cached --quiet; then :; else git commit -m x; fi", "commit"],
    ["for f in a b; do git commit -m $f; done", "commit"],
    ["case $x in a) git commit;; esac", "commit"],
    ["out=$(case $x in a|b) git commit;; (*) ls;; esac)", "commit"],
    ["echo $(echo in case x in y); git commit", "commit"],
    ["f() { git commit; }; f", "commit"],
    ["[ -n x ] && git commit", "commit"],
    ["`git commit`", "commit"],
    ["out=$(git commit -m x 2>&1); echo $out", "commit"],
    ["echo `echo \\`git commit\\``", "commit"],
    ['echo "$(git commit -m "$(date)")"', "commit"],
    ["echo \u0024{x:-$(git commit)}", "commit"],
    ["diff <(git show a) <(git commit)", "commit"],
    ["git \\\n  commit", "commit"],
    ["git status\ngit commit", "commit"],
    ["git log 2>&1 | cat & git commit", "commit"],
    ["echo msg | git commit -F -", "commit"],
    ["git commit -F - <<'EOF'\nit's done\nEOF", "commit"],
    ["cat > msg <<'EOF'\ndon't\nEOF\ngit commit -F msg", "commit"],
    ["cmd=(git commit -m x); $cmd", "commit"],
    ['git add . `\ngit commit -m "a `"b`""', "commit"],
    ["if ($?) { git commit -m x }", "commit"],
  ]);
});

describe("commands that something else runs", () => {
  checkCommits([
    ["eval 'git commit'", "commit"],
    ["bash -lc 'git commit'", "commit"],
    ["zsh -ic 'git commit'", "commit"],
    ["fish -c 'git commit'", "commit"],
    ['pwsh -Command "git commit"', "commit"],
    ['cmd /c "git commit"', "commit"],
    ["bash -c \"bash -c 'git commit'\"", "commit"],
    ["bash -c $'git add .\\ngit commit'", "commit"],
    ["printf 'git add .\\ngit commit\\n' | sh", "commit"],
    ["bash <<< 'git commit'", "commit"],
    ["cat > run.sh <<-EOF\n\tgit commit\n\tEOF\n", "commit"],
    ["cat <<EOF\n$(git commit)\nEOF", "commit"],
    ["find . -name x -exec git commit -m {} \\;", "commit"],
    ["ls | xargs -n1 git commit -m", "commit"],
    ["ls | xargs -I{} sh -c 'git commit -m {}'", "commit"],
    ["echo commit | xargs git", "unknown"],
    ["ssh host 'git commit'", "commit"],
    ["docker exec c git commit", "commit"],
    ["tmux send-keys 'git commit' Enter", "commit"],
    ["git submodule foreach 'git commit -m x'", "unknown"],
    ["git bisect run ./x", "unknown"],
    ["alias g=git; g commit", "unknown"],
    ["python3 -c \"import subprocess; subprocess.run(['git', 'commit'])\"", "commit"],
    ['python3 - <<E\nrun(["git","-C","sub","commit"])\nE', "commit", "sub"],
    ["node -e \"execFileSync('git',['commit'])\"", "commit"],
    ["python3 -c \"import os; os.system('git commit')\"", "commit"],
  ]);
});

describe("variables that the text itself sets", () => {
  checkCommits([
    ["$GIT commit", "commit"],
    ["GIT=/usr/bin/git; $GIT commit", "commit"],
    ['G="git -C /x"; $G add -A; $G commit -m x', "commit", "/x"],
    ["cmd='git commit -m x'; eval \"$cmd\"", "commit"],
    ['git "$verb"', "unknown"],
    ["git $status", "unknown"],
    ["V=status; git $V; git log", undefined],
    ["V=rebase; git $V main", "rebase"],
    ["git -c alias.x=commit x", "unknown"],
  ]);
});

test("the usual commit with its message in a heredoc, apostrophes and all", () => {
  const message = 'fix: don\'t (ever) "quote" `git merge`\n\nCo-authored-by: x <x@y>';
  const command = `cd pkg && git add -A && git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)" && git push`;
  expect(recogniseCommit(command)).toEqual(commit("pkg"));
});

describe("of several commands, the verb that counts most is told, then the first", () => {
  checkCommits([
    ["git pull && cd a && git commit", "commit", "a"],
    ["git commit && git pull", "commit"],
    ["git ci && git rebase main", "rebase"],
    ["git rebase main && git pull", "rebase"],
    ["git -C a commit; git -C b commit", "commit", "a"],
    ["git -C a merge x; git -C b commit", "merge", "a"],
    ["git commit -m x && git -C sub push", "commit"],
    ['git pull --rebase && echo "git -C x commit"', "pull"],
    ["git rebase -x 'git commit --amend' main", "rebase"],
    ["git rebase --continue", "rebase"],
  ]);
});

describe("a command that only goes back moves HEAD, but not by a commit", () => {
  checkCommits([
    ["git cherry-pick --abort", "unknown"],
    ["git am --abort; git commit", "commit"],
    ["git rebase --abort", "unknown"],
    ["git cherry-pick --continue", "cherry-pick"],
  ]);
});

describe("what cannot commit", () => {
  checkCommits([
    ["git log --grep commit", undefined],
    ["git log --grep=commit", undefined],
    ["git diff -- src/commit.ts | grep commit", undefined],
    ["git commit-tree HEAD^{tree}", undefined],
    ["git stash push -m wip && git stash pop", undefined],
    ["git", undefined],
    ["git --version", undefined],
    ["which git", undefined],
    ["cat .git/config", undefined],
    ["cat git-verbs.ts && cd git-tools && npm test", undefined],
    ["git clone https://github.com/x/merge.git", undefined],
    ["git status # then git commit", undefined],
    ["# git commit", undefined],
    ["digit commit", undefined],
    ["cat .gitignore && gh repo view github.com/x/y.git", undefined],
    ["git log; git diff --stat|cat", undefined],
    ["echo (git status)", undefined],
    ["jj log && jj git push", undefined],
    ["docker pull hub/jj", undefined],
    ["go test ./... && git stash && git checkout -b pull", undefined],
  ]);
});

describe("what may be no commit is one: it costs a question", () => {
  checkCommits([
    ["git commit --dry-run", "commit"],
    ['echo "git commit"', "commit"],
    ['grep -rn "git commit" .', "commit"],
    ["git update-ref HEAD abc", "unknown"],
    ["git lfs migrate import", "unknown"],
  ]);
});
