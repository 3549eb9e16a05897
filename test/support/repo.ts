import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "./temp.ts";

export interface TestRepo extends Disposable {
  path: string;
  /** Runs git in the repository and returns its trimmed output; throws when it fails. */
  git(...args: string[]): string;
  write(file: string, content: string): void;
  /** Writes the files, commits everything, returns the full SHA. */
  commit(message: string, files?: Record<string, string>): string;
}

/** A real repository in a temporary directory, with one commit unless `empty`. */
export function testRepo(options: { empty?: boolean; subdirectory?: string } = {}): TestRepo {
  const dir = tempDir();
  const path = options.subdirectory ? dir.join(options.subdirectory) : dir.path;
  mkdirSync(path, { recursive: true });
  const repo: TestRepo = {
    path,
    git: (...args) => git(path, ...args),
    write(file, content) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    commit(message, files = {}) {
      for (const [file, content] of Object.entries(files)) repo.write(file, content);
      git(path, "add", "-A");
      git(path, "commit", "-q", "--allow-empty", "-m", message);
      return headOf(path);
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
  if (options.empty) git(path, "init", "-q");
  else cpSync(firstCommit(), path, { recursive: true, preserveTimestamps: true });
  return repo;
}

/** Read where git has just written it: a process less for each commit. */
function headOf(path: string): string {
  const head = readFileSync(join(path, ".git/HEAD"), "utf8").trim();
  return head.startsWith("ref: ") ? readFileSync(join(path, ".git", head.slice(5)), "utf8").trim() : head;
}

let template: string | undefined;

/** A repository with its first commit, to be copied: making one takes git longer than most tests take. */
function firstCommit(): string {
  if (template === undefined) {
    template = mkdtempSync(join(process.env.HOME as string, "first-commit-"));
    git(template, "init", "-q");
    writeFileSync(join(template, "README.md"), "# test\n");
    git(template, "add", "-A");
    git(template, "commit", "-q", "-m", "first");
  }
  return template;
}

export function git(cwd: string, ...args: string[]): string {
  const run = Bun.spawnSync(["git", ...args], { cwd, env: process.env, stdout: "pipe", stderr: "pipe" });
  if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr}`);
  return run.stdout.toString().trim();
}
