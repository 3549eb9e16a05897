import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Every test file runs with a HOME, a data directory and a git configuration of its own, below the system's
// temporary directory: nothing of the person who runs the tests is read or written.
const home = mkdtempSync(join(tmpdir(), "roborev-test-home-"));
for (const name of Object.keys(process.env)) {
  if (/^(GIT_|ROBOREV_|CLAUDE|CODEX_|COPILOT_|GEMINI_|HERMES_|QWEN_|GROK_|XDG_|BUN_INSPECT)/.test(name))
    delete process.env[name];
}
const gitConfig = join(home, "gitconfig");
// `git maintenance` after each commit, fetch and merge takes as long as these do, and never finds anything to do here.
writeFileSync(
  gitConfig,
  `[user]
	name = Test
	email = test@example.invalid
[init]
	defaultBranch = main
[commit]
	gpgSign = false
[maintenance]
	auto = false
`,
);
mkdirSync(join(home, "bin"));
Object.assign(process.env, {
  HOME: home,
  SHELL: "/bin/sh", // a daemon asks it for its PATH
  ROBOREV_DATA_DIR: join(home, "data"),
  GIT_CONFIG_GLOBAL: gitConfig,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  NO_COLOR: "1",
  TZ: "UTC",
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
