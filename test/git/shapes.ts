import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, type TestRepo } from "../support/repo.ts";

// Each shape prepares a repository and names the directory to look from. `reader` says whether the reader decides
// ("read", "none") or has to ask git ("ask"); git's own answer is the truth in every case.
export interface Shape {
  reader: "read" | "ask" | "none";
  /** What git makes of it; default a checkout. */
  git?: "nothing" | "error";
  empty?: boolean;
  prepare(repo: TestRepo, aside: (name: string) => string): string;
}

const submodule = (repo: TestRepo, aside: (name: string) => string) => {
  git(repo.path, "clone", "-q", repo.path, aside("inner"));
  repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", aside("inner"), "sub");
  return join(repo.path, "sub");
};

const bareWithWorktree = (repo: TestRepo, aside: (name: string) => string) => {
  git(repo.path, "clone", "-q", "--bare", repo.path, aside("bare.git"));
  git(aside("bare.git"), "worktree", "add", "-q", "-b", "side", aside("tree"));
  return aside("tree");
};

export const shapes: Record<string, Shape> = {
  "the top of a checkout": { reader: "read", prepare: (repo) => repo.path },
  "a sub-directory": {
    reader: "read",
    prepare: (repo) => {
      mkdirSync(join(repo.path, "a/b"), { recursive: true });
      return join(repo.path, "a/b");
    },
  },
  "a symbolic link to a sub-directory": {
    reader: "read",
    prepare: (repo, aside) => {
      mkdirSync(join(repo.path, "a"));
      symlinkSync(join(repo.path, "a"), aside("link"));
      return aside("link");
    },
  },
  "a branch without commits": { reader: "read", empty: true, prepare: (repo) => repo.path },
  "a detached HEAD": {
    reader: "read",
    prepare: (repo) => {
      repo.git("checkout", "-q", "--detach");
      return repo.path;
    },
  },
  "packed refs": {
    reader: "read",
    prepare: (repo) => {
      for (const name of ["main2", "mai", "x/main"]) repo.git("branch", name);
      repo.commit("second");
      repo.git("pack-refs", "--all");
      return repo.path;
    },
  },
  "a loose ref over a packed one": {
    reader: "read",
    prepare: (repo) => {
      repo.git("pack-refs", "--all");
      repo.commit("second");
      return repo.path;
    },
  },
  "a packed branch with slashes beside annotated tags": {
    reader: "read",
    prepare: (repo) => {
      repo.git("checkout", "-q", "-b", "feature/a/b-ü");
      repo.git("tag", "-a", "-m", "t", "v1");
      repo.git("pack-refs", "--all");
      return repo.path;
    },
  },
  "a branch named like a tag": {
    reader: "read",
    prepare: (repo) => {
      repo.git("tag", "main");
      return repo.path;
    },
  },
  "a branch that is a symbolic ref": {
    reader: "read",
    prepare: (repo) => {
      repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
      repo.git("symbolic-ref", "HEAD", "refs/heads/alias");
      return repo.path;
    },
  },
  "a linked worktree": {
    reader: "read",
    prepare: (repo, aside) => {
      repo.git("worktree", "add", "-q", "-b", "side", aside("tree"));
      return aside("tree");
    },
  },
  "a detached linked worktree": {
    reader: "read",
    prepare: (repo, aside) => {
      repo.git("worktree", "add", "-q", "--detach", aside("tree"));
      return aside("tree");
    },
  },
  "a worktree of a bare repository": { reader: "read", prepare: bareWithWorktree },
  "a bare repository named .git with a worktree": {
    reader: "read",
    prepare: (repo, aside) => {
      git(repo.path, "clone", "-q", "--bare", repo.path, aside("p/.git"));
      git(aside("p/.git"), "worktree", "add", "-q", "-b", "side", aside("p/tree"));
      return aside("p/tree");
    },
  },
  "a SHA-256 repository": {
    reader: "read",
    prepare: (_repo, aside) => {
      mkdirSync(aside("s"));
      git(aside("s"), "init", "-q", "--object-format=sha256");
      git(aside("s"), "commit", "-q", "--allow-empty", "-m", "x");
      return aside("s");
    },
  },
  "a submodule": { reader: "read", prepare: submodule },
  "a linked worktree of a submodule": {
    reader: "read",
    prepare: (repo, aside) => {
      git(submodule(repo, aside), "worktree", "add", "-q", "-b", "side", aside("tree"));
      return aside("tree");
    },
  },
  "a separate git directory": {
    reader: "ask",
    prepare: (_repo, aside) => {
      mkdirSync(aside("s"));
      git(aside("s"), "init", "-q", `--separate-git-dir=${aside("store")}`);
      git(aside("s"), "commit", "-q", "--allow-empty", "-m", "x");
      git(aside("s"), "config", "--unset", "core.bare");
      return aside("s");
    },
  },
  "a separate git directory that says it is not bare": {
    reader: "read",
    prepare: (_repo, aside) => {
      mkdirSync(aside("s"));
      git(aside("s"), "init", "-q", `--separate-git-dir=${aside("store")}`);
      git(aside("s"), "commit", "-q", "--allow-empty", "-m", "x");
      return aside("s");
    },
  },
  "a directory called .git that is none": {
    reader: "ask",
    prepare: (repo) => {
      mkdirSync(join(repo.path, "inner/.git"), { recursive: true });
      return join(repo.path, "inner");
    },
  },
  "an empty file called .git": {
    reader: "ask",
    git: "error",
    prepare: (repo) => {
      repo.write("inner/.git", "");
      return join(repo.path, "inner");
    },
  },
  "the middle of a rebase": {
    reader: "read",
    prepare: (repo) => {
      repo.git("checkout", "-q", "-b", "side");
      repo.commit("side", { "README.md": "side\n" });
      repo.git("checkout", "-q", "main");
      repo.commit("main", { "README.md": "main\n" });
      try {
        repo.git("rebase", "side");
      } catch {} // the conflict is what this shape needs
      return repo.path;
    },
  },
  "core.worktree elsewhere": {
    reader: "ask",
    git: "nothing",
    prepare: (repo, aside) => {
      mkdirSync(aside("elsewhere"));
      repo.git("config", "core.worktree", aside("elsewhere"));
      return repo.path;
    },
  },
  "an include": {
    reader: "ask",
    prepare: (repo, aside) => {
      writeFileSync(aside("more"), "[core]\n\tbare = false\n");
      repo.git("config", "include.path", aside("more"));
      return repo.path;
    },
  },
  "a worktree configuration": {
    reader: "ask",
    prepare: (repo) => {
      repo.git("config", "extensions.worktreeConfig", "true");
      return repo.path;
    },
  },
  "a configuration with a continued line": {
    reader: "ask",
    prepare: (repo) => {
      appendFileSync(join(repo.path, ".git/config"), "[x]\n\ty = a\\\n b\n");
      return repo.path;
    },
  },
  "HEAD as a symbolic link": {
    reader: "ask",
    prepare: (repo) => {
      rmSync(join(repo.path, ".git/HEAD"));
      symlinkSync("refs/heads/main", join(repo.path, ".git/HEAD"));
      return repo.path;
    },
  },
  ".git as a symbolic link": {
    reader: "ask",
    prepare: (repo, aside) => {
      cpSync(join(repo.path, ".git"), aside("moved"), { recursive: true });
      rmSync(join(repo.path, ".git"), { recursive: true });
      symlinkSync(aside("moved"), join(repo.path, ".git"));
      return repo.path;
    },
  },
  "a branch name that climbs out": {
    reader: "ask",
    git: "error",
    prepare: (repo) => {
      writeFileSync(join(repo.path, ".git/HEAD"), "ref: refs/heads/../../../secret\n");
      return repo.path;
    },
  },
  "a bare repository": {
    reader: "ask",
    git: "nothing",
    prepare: (repo, aside) => {
      git(repo.path, "clone", "-q", "--bare", repo.path, aside("bare.git"));
      return aside("bare.git");
    },
  },
  "the inside of .git": { reader: "ask", git: "nothing", prepare: (repo) => join(repo.path, ".git/refs") },
  "a directory with a line break in its name": {
    reader: "read",
    prepare: (_repo, aside) => {
      mkdirSync(aside("a\nb"));
      git(aside("a\nb"), "init", "-q");
      git(aside("a\nb"), "commit", "-q", "--allow-empty", "-m", "x");
      return aside("a\nb");
    },
  },
  "no repository": {
    reader: "none",
    git: "nothing",
    prepare: (_repo, aside) => {
      mkdirSync(aside("plain"));
      return aside("plain");
    },
  },
  "a directory that is gone": { reader: "none", git: "nothing", prepare: (_repo, aside) => aside("gone") },
  "a file": { reader: "none", git: "nothing", prepare: (repo) => join(repo.path, "README.md") },
};
