import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { baits } from "./bait.ts";

export interface Trap extends Disposable {
  /** The checkout under review: a linked worktree whose main checkout the user trusts. */
  checkout: string;
  main: string;
  home: string;
  /** For temporary files; not above the home directory, where Codex would keep its sandbox program from starting. */
  temp: string;
  /** Where cells are made. */
  scratch: string;
  env: Record<string, string>;
  /** What was executed or written that must not be. */
  canaries(): string[];
}

/**
 * Unless it is `plain`: a repository that tries to run something in every way that the programs offer a project, and a
 * home directory whose own hooks, servers and notifiers must stay silent too, but whose login and provider must work. A
 * worktree of ours is not trusted by name, but by a parent that the user trusts.
 */
export function buildTrap(modelPort: number, name: string, { plain = false } = {}): Trap {
  // Not below /tmp: Codex lets its sandbox treat that directory specially.
  const root = realpathSync(mkdtempSync("/var/tmp/roborev-reviewer-"));
  const at = (part: string) => join(root, part);
  const [home, main, checkout] = [at("home"), at("main"), at("worktree")];
  const [canary, scratch, temp] = [at("canary"), at("scratch"), at("temp")];
  const touch = (mark: string) => `touch '${join(canary, mark)}'`;
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  };
  for (const directory of [canary, scratch, temp]) mkdirSync(directory);
  const bait = baits[name]?.({ touch, port: modelPort, trusted: [main, checkout, root] });
  if (!bait) throw new Error(`no bait for ${name}`);
  for (const [path, content] of plain ? [] : Object.entries(bait.project)) write(join(main, path), content);
  for (const [path, content] of Object.entries(bait.home)) write(join(home, path), content);
  write(join(home, "secret.txt"), "SECRET-OF-THE-USER\n");
  write(join(main, "bin/git"), `#!/bin/sh\n${touch("path-git")}\n`);
  write(join(main, "a.txt"), "content of a.txt\n");

  const env = {
    PATH: `${join(checkout, "bin")}:bin:${process.env.PATH}`,
    HOME: home,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    // Nothing but loopback may be reached: everything else meets a closed port.
    HTTP_PROXY: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
    // What the session that started the daemon left behind.
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    ANTHROPIC_API_KEY: "key-of-the-session",
    CLAUDECODE: "1",
    COPILOT_ALLOW_ALL: "true",
    GROK_FOLDER_TRUST: "0",
    GIT_DIR: join(root, "nowhere"),
  };
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=Trap", "-c", "user.email=trap@example.invalid"];
    const run = Bun.spawnSync(["git", ...identity, ...args], {
      cwd: main,
      env: { PATH: process.env.PATH ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    });
    if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr}`);
  };
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("update-index", "--chmod=+x", "bin/git");
  git("commit", "-q", "-m", "trap");
  git("worktree", "add", "-q", "--detach", checkout);
  return {
    checkout,
    main,
    home,
    temp,
    scratch,
    env,
    canaries: () => readdirSync(canary).sort(),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
