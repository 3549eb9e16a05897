import { Database } from "bun:sqlite";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataPaths } from "../../../src/config/paths.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { splitCommand } from "../../../src/lib/shell-words.ts";
import { automaticReviewers } from "../../../src/review/agents/registry.ts";
import { openStore } from "../../../src/store/open.ts";
import { binary } from "../../support/binary.ts";
import { startDaemon } from "../../support/daemon-process.ts";
import { endOf } from "../../support/end-of.ts";
import { git } from "../../support/repo.ts";
import { storeReview } from "../../support/reviews.ts";
import { type CliOptions, type CliResult, runCli } from "../run-cli.ts";

// What the examples of the help take for granted: a branch with reviews 42 and 43, of which 42 failed, a coding agent,
// the files that are read, and a second place of the same repository that is gone.

/** Reviews, edits and answers questions, all like Codex. */
const codex = `#!/bin/sh
case " $* " in
*" --help "*) printf '  %s\\n' --json --sandbox --config --dangerously-bypass-approvals-and-sandbox; exit;;
*" app-server "*) exit 1;;
*bypass*) sed -i.old '/BUG/d' *.js; rm -f *.old; echo '// mended' >>prices.js; git commit -qam 'Mend it';;
esac
words=$(sed -n 's/^The word at the .* is \\(.*\\)\\.$/\\1/p' | tr '\\n' ' ')
printf '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"OK %s\\\\nNo issues found in prices.js."}}\\n{"type":"turn.completed","usage":{}}\\n' "$words"
`;

const home = () => process.env.HOME as string;
export const shop = () => join(home(), "src/shop");

/** Starts and stops the daemon of the unit, as the real one would. */
const systemctl = `#!/bin/sh
case $2 in
restart|start) ROBOREV_SERVICE=systemd setsid roborev daemon run </dev/null >/dev/null 2>&1 &;;
disable) roborev daemon stop >/dev/null;;
esac
`;

export interface Scene extends AsyncDisposable {
  /** Runs an example as it stands in the help, `~` and `<` included, in the repository unless told otherwise. */
  run(example: string, options?: CliOptions): Promise<CliResult>;
  /** The same by the compiled program, for what starts itself again. */
  runCompiled(example: string, env?: Record<string, string>): Promise<CliResult>;
  /** The branch, the working tree and the configuration as they were. */
  restore(): void;
}

export async function examplesScene(): Promise<Scene> {
  for (const path of [".codex", ".claude", "src", "bin", "other", "fresh"])
    mkdirSync(join(home(), path), { recursive: true });
  mkdirSync(process.env.ROBOREV_DATA_DIR as string, { mode: 0o700 });
  symlinkSync(binary, join(home(), "bin/roborev"));
  writeFileSync(join(home(), "bin/broken"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  writeFileSync(join(home(), "bin/systemctl"), systemctl, { mode: 0o755 });
  writeFileSync(join(home(), "bin/codex"), codex, { mode: 0o755 });
  process.env.PATH = `${join(home(), "bin")}:${process.env.PATH}`;
  const tip = makeShop();
  await makeReviews();
  const config = makeConfig();
  let state = stateOfShop();
  const daemon = await startDaemon(process.env.ROBOREV_DATA_DIR as string);
  await runCli(["init"], { cwd: shop() });
  return {
    run(example, options = {}) {
      const { argv, stdin } = parse(example);
      return runCli(argv, { cwd: shop(), stdin, ...options });
    },
    async runCompiled(example, env = {}) {
      const child = Bun.spawn(["/bin/sh", "-c", example], {
        cwd: shop(),
        env: { ...process.env, ...env },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const { stdout, stderr, exitCode: code } = await endOf(child);
      return { code, stdout, stderr };
    },
    restore() {
      writeFileSync(dataPaths(process.env.ROBOREV_DATA_DIR as string).config, config, { mode: 0o600 });
      if (stateOfShop() === state) return;
      git(shop(), "switch", "-q", "-f", "feature");
      git(shop(), "reset", "-q", "--hard", tip);
      git(shop(), "clean", "-q", "-f", "-d", "-e", "*.txt", "-e", "payload.json");
      state = stateOfShop();
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

/** What tells without running git whether anything changed; most examples change nothing. */
const stateOfShop = (): string =>
  JSON.stringify([
    readFileSync(join(shop(), ".git/HEAD"), "utf8"),
    readFileSync(join(shop(), ".git/refs/heads/feature"), "utf8"),
    readdirSync(shop()).map((name) => [name, statSync(join(shop(), name)).mtimeMs]),
  ]);

/** `main`, and a branch with four commits more; its last commit. */
function makeShop(): string {
  mkdirSync(shop(), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(shop(), name), text);
  const commit = (message: string) => {
    git(shop(), "add", "-A");
    git(shop(), "commit", "-q", "-m", message);
  };
  git(shop(), "init", "-q");
  write("prices.js", "export const total = 1;\n");
  write(".gitignore", "*.txt\npayload.json\n");
  commit("Add total");
  git(shop(), "switch", "-q", "-c", "feature");
  for (const name of ["mean", "median", "mode", "range"]) {
    write(`${name}.js`, `export const ${name} = 1;\n${name === "mode" ? "// BUG: one\n// BUG: two\n" : ""}`);
    commit(`Add ${name}`);
  }
  const tip = git(shop(), "rev-parse", "HEAD");
  const payload = { session_id: "8f14e45f", prompt_id: "1", cwd: shop(), hook_event_name: "Stop" };
  write("payload.json", JSON.stringify(payload));
  write("rewritten.txt", `${git(shop(), "rev-parse", "main")} ${tip}\n`);
  write("prompt.txt", "Review this.\n");
  write("key.txt", "sk-test\n");
  return tip;
}

async function makeReviews(): Promise<void> {
  const { database } = dataPaths(process.env.ROBOREV_DATA_DIR as string);
  const store = await openStore(database, { clock: systemClock });
  const { id: repoId } = store.repos.getOrCreate({
    rootPath: shop(),
    name: "shop",
    identity: `local://${shop()}`,
  });
  const db = new Database(database);
  db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('review_jobs', 39)");
  db.close();
  // 40 and 41 passed, 42 failed, 43 passed.
  for (const [ref, verdict] of [
    ["HEAD~3", "P"],
    ["HEAD~2", "P"],
    ["HEAD~1", "F"],
    ["HEAD", "P"],
  ] as const)
    storeReview(store, {
      ...{ repoId, verdict, gitRef: git(shop(), "rev-parse", ref), branch: "feature" },
      ...(verdict === "F"
        ? { findings: [1, 2].map((n) => ({ severity: "high", problem: `bug ${n}` })) }
        : {}),
    });
  store.close();
  const logs = dataPaths(process.env.ROBOREV_DATA_DIR as string).jobLogs;
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  writeFileSync(join(logs, "42.log"), "bug 1\n", { mode: 0o600 });
}

/** Makes the daemon know a repository that is not there. */
export async function knowGone(rootPath: string, name: string): Promise<void> {
  const { database } = dataPaths(process.env.ROBOREV_DATA_DIR as string);
  const store = await openStore(database, { clock: systemClock });
  store.repos.getOrCreate({ rootPath, name, identity: `local://${rootPath}` });
  store.close();
}

function makeConfig(): string {
  // Programs are also looked for in the system's directories: none that really is on this machine may be asked.
  const absent = automaticReviewers()
    .filter(({ name }) => name !== "codex")
    .map(({ name }) => `${name.replaceAll("-", "_")}_cmd = "${home()}/bin/broken"\n`);
  const text = `default_agent = "test"\nfix_agent = "codex"\nrefine_agent = "codex"\n${absent.join("")}`;
  writeFileSync(dataPaths(process.env.ROBOREV_DATA_DIR as string).config, text, { mode: 0o600 });
  return text;
}

function parse(example: string): { argv: string[]; stdin: string } {
  const [command = "", file] = example.split(" < ");
  const split = splitCommand(command.replaceAll(" ~/", ` ${home()}/`));
  if ("error" in split) throw new Error(`${example}: ${split.error}`);
  if (split.words[0] !== "roborev") throw new Error(`${example} does not begin with roborev`);
  return { argv: split.words.slice(1), stdin: file === undefined ? "" : readText(file) };
}

const readText = (file: string): string => readFileSync(join(shop(), file), "utf8");
