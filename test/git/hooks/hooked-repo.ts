import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Checkout, findCheckout } from "../../../src/git/checkout.ts";
import { type TestRepo, testRepo } from "../../support/repo.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";

/** A repository, and a program in place of roborev that writes down how it was run. */
export interface HookedRepo extends Disposable {
  repo: TestRepo;
  side: TempDir;
  checkout: Checkout;
  binary: string;
  /** Lines `arguments|directory|input`, one per run so far. */
  runs(): string[];
  hook(name: string): string;
  writeHook(name: string, content: string, mode?: number): void;
  readHook(name: string): string | undefined;
}

export async function hookedRepo(program = "bin/roborev"): Promise<HookedRepo> {
  const repo = testRepo();
  const side = tempDir();
  const checkout = (await findCheckout(repo.path)) as Checkout;
  const binary = side.join(program);
  const log = side.join("runs");
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(
    binary,
    `#!/bin/sh\nprintf '%s|%s|%s\\n' "$*" "$PWD" "$(tr '\\n' ',')" >> '${log}'\necho out; echo err >&2; exit 3\n`,
  );
  chmodSync(binary, 0o755);
  const hook = (name: string) => join(repo.path, ".git/hooks", name);
  return {
    repo,
    side,
    checkout,
    binary,
    runs: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    hook,
    writeHook(name, content, mode = 0o755) {
      mkdirSync(dirname(hook(name)), { recursive: true });
      writeFileSync(hook(name), content);
      chmodSync(hook(name), mode);
    },
    readHook: (name) => (existsSync(hook(name)) ? readFileSync(hook(name), "utf8") : undefined),
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      side[Symbol.dispose]();
    },
  };
}

export const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Runs git and returns what it printed, to both streams. */
export function gitOutput(cwd: string, ...args: string[]): { exitCode: number; printed: string } {
  const run = Bun.spawnSync(["git", ...args], { cwd, env: process.env, stdout: "pipe", stderr: "pipe" });
  return { exitCode: run.exitCode, printed: run.stdout.toString() + run.stderr.toString() };
}
