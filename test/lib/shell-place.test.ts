import { describe } from "bun:test";
import { checkCommits } from "./commit-rows.ts";

describe("cd", () => {
  checkCommits([
    ["cd sub && git commit -m x", "commit", "sub"],
    ["cd a; cd b; git commit", "commit", "a", "b"],
    ["cd -- sub && git -C deeper commit", "commit", "sub", "deeper"],
    ["cd -P sub && git commit", "commit", "sub"],
    ["cd my\\ dir && git commit", "commit", "my dir"],
    ["cd a >/dev/null 2>&1 && git commit", "commit", "a"],
    ["if cd sub; then git commit; fi", "commit", "sub"],
    ["function f { cd sub; git commit; }; f", "commit", "sub"],
    ["cd git && git commit", "commit", "git"],
    ["cd && git commit", "commit", "~"],
    ["cd ~/proj && git commit", "commit", "~/proj"],
    ['cd "$HOME/proj" && git commit', "commit", "~/proj"],
    ["cd '~/proj' && git commit", "commit", "./~/proj"],
    ["cd ~other/proj && git commit", "commit"],
    ["cd a* && git commit", "commit"],
    ['cd "$(git rev-parse --show-toplevel)" && git commit', "commit"],
    ["cd $PWD/a && git commit", "commit", "./a"],
    ["cd $(pwd)/a && git commit", "commit", "./a"],
    ["cd sub && git add -A && git commit -m x 2>&1 | tail -3", "commit", "sub"],
  ]);
});

describe("the way back", () => {
  checkCommits([
    ["cd sub && make && cd .. && git commit", "commit"],
    ["mkdir -p a/b/ && cd a/b/ && make && cd ../.. && git commit", "commit"],
    ["cd sub; cd ../other; git commit", "commit", "sub", "../other"],
    ["cd /tmp/x && cd .. && git commit", "commit", "/tmp"],
    ["cd a/b; cd ../../..//; git commit", "commit", ".."],
    ["cd .. && git commit", "commit", ".."],
    ["cd ../../x && cd .. && git commit", "commit", "../.."],
    ["cd ~ && cd .. && git commit", "commit", "~", ".."],
    ["cd a && git -C .. commit", "commit"],
    ["cd a && cd - && git commit", "commit"],
    ["cd - && git commit", "commit"],
    ['cd a; cd b; cd "$OLDPWD"; git commit', "commit", "a"],
    ["pushd sub && git commit && popd", "commit", "sub"],
    ["pushd sub >/dev/null && ls && popd && git commit", "commit"],
    ["pushd a; pushd; git commit", "commit"],
    ["pushd a; pushd; pushd; git commit", "commit", "a"],
  ]);
});

describe("a move ends with its subshell, its pipe, its background command", () => {
  checkCommits([
    ["(cd sub; git commit)", "commit", "sub"],
    ["(cd sub; ls) && git commit", "commit"],
    ["{ cd sub; ls; } && git commit", "commit", "sub"],
    ["{ cd sub; ls; } | cat; git commit", "commit"],
    ["{ cd sub; ls; } & git commit", "commit"],
    ["ls | { cd a; git commit; }", "commit", "a"],
    ["ls | { cd a; ls; }; git commit", "commit"],
    ["cd server && npm start & git commit", "commit"],
    ["cd a && npm start &\ncd b && git commit", "commit", "b"],
    ["cd a; npm start & git commit", "commit", "a"],
    ["cd a && (ls)\nnpm start & git commit", "commit", "a"],
    ["cd a | cat; git commit", "commit"],
    ["ls | cd a; git commit", "commit"],
    ["out=$(cd sub && git commit)", "commit", "sub"],
    ["out=$(cd sub && ls); git commit", "commit"],
    ["(cd a; case $x in b) ls;; esac; git commit)", "commit", "a"],
    ["do { cd a; ls; } | cat; git commit", "commit"],
  ]);
});

describe("either of two directories", () => {
  checkCommits([
    ["cd a || cd b; git commit", "commit", "a", "b"],
    ["cd a || cd ../a; git commit", "commit", "a", "../a"],
    ["cd /a || cd /b; git commit", "commit", "/b", "/a"],
    ["cd a || exit 1; git -C ../b commit", "commit", "a", "../b"],
  ]);
});

describe("options and environment", () => {
  checkCommits([
    ["git -C a -C b commit", "commit", "a", "b"],
    ["git -C . commit", "commit"],
    ["git --work-tree=/w --git-dir=/w/.git commit", "commit", "/w"],
    ["git --work-tree sub --git-dir sub/.git commit", "commit", "sub"],
    ["git --git-dir=/r/.git --work-tree=/w commit", "commit", "/r"],
    ["git --git-dir=/bare.git --work-tree=/w commit", "commit", "/w"],
    ["git --git-dir /r/.git commit", "commit", "/r"],
    ["git --git-dir=.git commit", "commit"],
    ["git --git-dir=.git -C a commit", "commit", "a"],
    ["git --git-dir=$HOME/r/.git commit", "commit", "~/r"],
    ["GIT_WORK_TREE=/w git commit", "commit", "/w"],
    ["GIT_WORK_TREE=~/w git commit", "commit", "~/w"],
    ["GIT_DIR=/r/.git git commit", "commit", "/r"],
    ["sudo GIT_DIR=/r/.git git commit", "commit", "/r"],
    ["export GIT_DIR=/r/.git; git commit", "commit", "/r"],
    ["GIT_DIR=/r/.git git log; git commit", "commit"],
    ["env -C dir git commit", "commit", "dir"],
    ["env --chdir=dir -u X bash -c 'git commit'", "commit", "dir"],
    ["sudo -D dir git commit", "commit", "dir"],
    ["pnpm -C dir exec git commit", "commit", "dir"],
    ["echo -C git commit", "commit", "git"],
    ["bash -lc 'cd sub && git commit'", "commit", "sub"],
    ["sudo sh -c 'cd sub; git commit -m \"a b\"'", "commit", "sub"],
    ["bash <<'EOF'\ncd sub\ngit commit\nEOF", "commit", "sub"],
    ["zsh -ic 'pushd a; git commit'", "commit", "a"],
    ["fish -c 'cd a; and cd b; and git commit'", "commit", "a", "b"],
  ]);
});

describe("variables whose value the text gives", () => {
  checkCommits([
    ["R=/r; git -C $R commit", "commit", "/r"],
    ['export R="/r s"; cd "$R/a" && git commit', "commit", "/r s/a"],
    ["R=a; R=$R/b; git -C $R commit", "commit", "a/b"],
    ["R=$PWD; cd build && make; cd $R && git commit", "commit"],
    ['R=$PWD/a; cd b; git -C "$R/c" commit', "commit", "./a/c"],
    ["R=~/r; git --work-tree=$R commit", "commit", "~/r"],
    ["R='~'; cd $R; git commit", "commit", "./~"],
    ["R=/a; R=$(mktemp -d); cd $R; git commit", "commit"],
    ["R=/a git -C $R commit", "commit"],
    ["echo '$R'; R=/a; cd '$R'; git commit", "commit", "$R"],
    ["for d in a b; do (cd $d && git commit -m x); done", "commit", "a"],
    ["for d in */; do git -C $d commit; done", "commit"],
    ["HOME=/h; cd ~/x; git commit", "commit", "/h/x"],
  ]);
});

describe("PowerShell and cmd.exe", () => {
  checkCommits([
    ["Set-Location d; git commit", "commit", "d"],
    ["set-location -Path 'd e'; git commit", "commit", "d e"],
    ["Push-Location d; git add .; Pop-Location; git commit", "commit"],
    ['pwsh -Command "Set-Location d; git commit"', "commit", "d"],
    ['cmd /c "cd /d C:\\x && git commit"', "commit", "C:\\x"],
    ["cd C:\\repo\\sub; git commit", "commit", "C:\\repo\\sub"],
    ['cd "C:\\my repo"; git commit', "commit", "C:\\my repo"],
    ["git -C C:\\repo\\ commit", "commit", "C:\\repo\\"],
    ["cd .\\sub; git commit", "commit", ".sub", ".\\sub"],
    ["$r = 'C:\\r'; git -C $r commit", "commit", "C:\\r"],
    ["cd /d && git commit", "commit", "/d"],
    ["git --git-dir=C:\\r\\.git commit", "commit", "C:\\r"],
  ]);
});
