import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../support/alive.ts";
import { binary, roborev } from "../support/binary.ts";
import { git } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { hasTmux, openTerminal, type Terminal } from "../support/tmux.ts";
import { waitFor } from "../support/wait.ts";

// Each screen as a real terminal shows it. UPDATE_GOLDENS=1 writes what is shown: look at the difference as a user would.
const goldens = join(import.meta.dir, "screens");
const update = process.env.UPDATE_GOLDENS === "1";
const columns = 100;
const rows = 30;

/** An agent that mends what is marked, as Claude Code would tell it. */
const mender = `#!/bin/sh
case " $* " in *" --help "*)
  printf '  --setting-sources <x>\\n  --strict-mcp-config\\n  --settings <x>\\n  --tools <x>\\n'; exit 0;;
esac
cat >/dev/null
sed -i.old 's/BUG: .*/mended/' tax.ts && rm tax.ts.old
printf '{"type":"result","subtype":"success","is_error":false,"session_id":"s1","result":"Mended.\\\\nFINDING 1: FIXED - once\\\\nFINDING 2: FIXED - once"}\\n'
`;

/** A repository with reviews of every kind, the same on every day: commits have fixed dates, so fixed names. */
async function scene() {
  const dir = tempDir({
    "home/.profile": "",
    mender: mender,
  });
  chmodSync(dir.join("mender"), 0o755);
  const config = { default_agent: "test", fix_agent: "claude-code", claude_code_cmd: dir.join("mender") };
  const lines = Object.entries(config).map(([key, value]) => `${key} = "${value}"\n`);
  mkdirSync(dir.join("data"), { mode: 0o700 });
  writeFileSync(dir.join("data/config.toml"), `mouse_enabled = false\n${lines.join("")}`);
  const repo = dir.join("shop");
  mkdirSync(dir.join("bin"));
  symlinkSync(binary, dir.join("bin/roborev"));
  const env = {
    ...process.env,
    HOME: dir.join("home"),
    PATH: `${dir.join("bin")}:${process.env.PATH}`,
    ROBOREV_DATA_DIR: dir.join("data"),
    USER: "dev",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    GIT_AUTHOR_DATE: "2026-01-02T15:04:05Z",
    GIT_COMMITTER_DATE: "2026-01-02T15:04:05Z",
  };
  mkdirSync(repo);
  const run = async (...args: string[]) => {
    const { exitCode, stderr } = await roborev(args, { cwd: repo, env });
    if (exitCode > 1) throw new Error(`roborev ${args.join(" ")}: ${stderr}`);
  };
  const commit = async (subject: string, file: string, text: string) => {
    writeFileSync(join(repo, file), text);
    git(repo, "add", "-A");
    Bun.spawnSync(["git", "commit", "-q", "-m", subject], { cwd: repo, env });
    await run("review", "--wait", "--quiet");
  };
  git(repo, "init", "-q", "-b", "main");
  Bun.spawnSync(["git", "remote", "add", "origin", "https://example.invalid/shop.git"], { cwd: repo });
  await commit("Sell things", "shop.ts", "export const shop = true;\n");
  await commit("Add a cart\n\nIt holds things.", "cart.ts", "// BUG: an empty cart divides by zero\n");
  git(repo, "switch", "-q", "-c", "税/préfixe");
  await commit("Round taxes", "tax.ts", "// BUG: rounds twice\n// BUG: 端数を二回丸める\n");
  await run("comment", "--job", "3", "-m", "Only the first one is real.");
  await run("close", "1");
  await run("review", "--agent", "test", "--type", "security", "--wait", "--quiet", "HEAD~1");
  return { dir, repo, env, run, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** What is another one on every run, as wide as it was where that matters. */
function steady(lines: string[], root: string): string {
  const text = lines
    .map((line) =>
      line
        .replaceAll(root, "$ROOT")
        .replace(realpathSync(binary), "roborev")
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "00000000-0000-4000-8000-000000000000")
        .replace(/\b\d{4}-\d\d-\d\d \(UTC\)/, "2026-01-02 (UTC)")
        .replace(/daemon \S+/, "daemon v0.0.0")
        .replace(/\b[A-Z][a-z]{2} \d\d \d\d:\d\d\b/g, "Jan 02 15:04")
        .replace(/ (?:\d+m)?\d+s {6,}/g, (text) => " 0s".padEnd(text.length))
        .trimEnd(),
    )
    .join("\n");
  return `${text}\n`;
}

/** Waits until the terminal shows the golden screen; when it never does, the difference is the failure. */
async function compare({ name, shows, without }: Stop, terminal: Terminal, root: string): Promise<void> {
  const path = join(goldens, `${name}.txt`);
  const shown = () => steady(terminal.screen(), root);
  if (update) {
    await terminal.shows(shows, without);
    return writeFileSync(path, await unchanged(shown));
  }
  const golden = readFileSync(path, "utf8");
  await waitFor(name, () => shown() === golden).catch(() => expect(shown()).toBe(golden));
}

/** What is shown once it has stayed the same for a while: only for writing, which a person looks at. */
async function unchanged(shown: () => string): Promise<string> {
  for (let before = ""; ; ) {
    const now = shown();
    if (now === before) return now;
    before = now;
    await Bun.sleep(1500);
  }
}

/** A screen: the keys that lead to it from the one before, and what it shows last of all once it is there. */
interface Stop {
  name: string;
  keys: string[];
  shows: string;
  without?: string;
  size?: [columns: number, rows: number];
}

const stops: Stop[] = [
  { name: "queue", keys: [], shows: "4 done" },
  { name: "queue-selected", keys: ["j"], shows: ">   3" },
  { name: "review", keys: ["Enter"], shows: "Only the first one is real." },
  { name: "prompt", keys: ["p"], shows: "Boundary token" },
  { name: "log", keys: ["Escape", "l"], shows: "schema_version" },
  { name: "commit", keys: ["Escape", "m"], shows: "commit 919f741" },
  { name: "comment", keys: ["Escape", "Escape", "c", "Fixed by hand"], shows: "Fixed by hand" },
  { name: "help", keys: ["Escape", "?"], shows: "Keys" },
  { name: "filter", keys: ["Escape", "f", "Down", "Right"], shows: "税/préfixe" },
  { name: "filter-search", keys: ["q", "j", "k"], shows: "Nothing is called qjk." },
  { name: "filtered", keys: ["Escape", "Down", "Down", "Down", "Enter"], shows: "[b: " },
  { name: "hiding-closed", keys: ["Escape", "h"], shows: "3 done" },
  { name: "columns", keys: ["o"], shows: "[x] Ref" },
  { name: "question", keys: ["Escape", "r"], shows: "y/n" },
  { name: "narrow", keys: ["n"], shows: "roborev", without: "y/n", size: [40, 12] },
  { name: "split", keys: ["k"], shows: "Sent inline", size: [160, 40] },
  { name: "fix", keys: ["j", "F", "Keep it small"], shows: "Keep it small", size: [columns, rows] },
  { name: "fixes", keys: ["Enter", "T"], shows: "> ready", without: "T shows it" },
  { name: "patch", keys: ["Enter"], shows: "+// mended" },
  { name: "fix-question", keys: ["A"], shows: "y/n" },
  { name: "fixes-applied", keys: ["y", "Escape"], shows: "> applied", without: "Applied job" },
];

async function walk(terminal: Terminal, root: string): Promise<void> {
  for (const stop of stops) {
    const { keys, size } = stop;
    for (const key of keys) {
      const before = terminal.screen().join();
      terminal.press(key);
      // With a key that follows at once, Escape would be another key.
      if (key === "Escape") await waitFor("the screen before", () => terminal.screen().join() !== before);
    }
    if (size) terminal.resize(...size);
    await compare(stop, terminal, root);
  }
}

describe.skipIf(!hasTmux)("screens, in a real terminal (needs tmux)", () => {
  test.each(["CI", "CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS"])(
    "are drawn also where %s is set",
    async (name) => {
      using dir = tempDir({ "home/.profile": "", "repo/a.ts": "" });
      git(dir.join("repo"), "init", "-q");
      const env = {
        ...process.env,
        ...{ HOME: dir.join("home"), ROBOREV_DATA_DIR: dir.join("data"), [name]: "true" },
      };
      try {
        await using terminal = openTerminal({
          ...{ command: `${binary} tui`, cwd: dir.join("repo"), env, columns, rows },
        });
        await terminal.shows("0 open");
      } finally {
        await roborev(["daemon", "stop"], { cwd: dir.join("repo"), env });
      }
    },
    120_000,
  );

  test("are what the golden files show", async () => {
    using s = await scene();
    try {
      await using terminal = openTerminal({
        ...{ command: "roborev tui", cwd: s.repo, env: s.env },
        columns,
        rows,
      });
      await walk(terminal, s.dir.path);
      // A fix has just been applied, which goes on for a while.
      await terminal[Symbol.asyncDispose]();
      await waitFor("the end of the program with its terminal", () => !isAlive(terminal.pid), 20_000);
    } finally {
      await s.run("daemon", "stop");
    }
  }, 300_000);
});
