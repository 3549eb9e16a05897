import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dumpAgentHooks } from "../../src/install/dump.ts";
import type { InstallOptions } from "../../src/install/options.ts";
import { uninstallAgentHooks } from "../../src/install/uninstall.ts";
import { installHooksAndSkills } from "../../src/install/with-skills.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

function world(files: Record<string, string> = {}) {
  const dir = tempDir({ "bin/roborev": "#!/bin/sh\ncat >/dev/null\necho '{}'\n", ...files });
  chmodSync(dir.join("bin/roborev"), 0o755);
  const options = (more: Partial<InstallOptions> = {}): InstallOptions => ({
    agent: "claude",
    timeout: "10s",
    dryRun: false,
    env: { HOME: dir.path, PATH: "/usr/bin:/bin" },
    execPath: dir.join("bin/roborev"),
    cwd: dir.path,
    dataDir: dir.join(".roborev"),
    socketPath: dir.join(".roborev/daemon.sock"),
    ...more,
  });
  return { dir, options, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

test("D34 the hooks bring the skills of every agent that they are registered for, and a second time says nothing of them", async () => {
  using w = world();
  const first = await installHooksAndSkills(w.options({ agent: "all" }));
  expect(first.failures).toEqual([]);
  expect(first.lines.slice(0, 9).every((line) => line.includes(" agent hooks in "))).toBe(true);
  expect(first.lines.slice(9)).toEqual(
    [
      ["Claude Code", ".claude"],
      ["Codex", ".codex"],
      ["GitHub Copilot CLI", ".copilot"],
      ["Cursor", ".cursor"],
      ["Factory Droid", ".factory"],
      ["Gemini CLI", ".gemini"],
      ["Hermes Agent", ".hermes"],
      ["Qwen Code", ".qwen"],
      ["Grok Build", ".grok"],
    ].map(([name, directory]) => `installed 8 skills for ${name} in ${w.dir.join(`${directory}/skills`)}`),
  );
  const again = await installHooksAndSkills(w.options({ agent: "all" }));
  expect(again.lines).toHaveLength(9);
  expect(again.failures).toEqual([]);
});

test("D34 a dry run, dump and uninstall do not touch them", async () => {
  using w = world();
  await installHooksAndSkills(w.options({ dryRun: true }));
  await dumpAgentHooks(w.options());
  expect(existsSync(w.dir.join(".claude"))).toBe(false);
  await installHooksAndSkills(w.options());
  await uninstallAgentHooks(w.options());
  expect(readdirSync(w.dir.join(".claude"))).toEqual(["skills"]);
  expect(readdirSync(w.dir.join(".claude/skills"))).toHaveLength(8);
});

test("D34 skills that cannot be written are a failure of their own: the hooks are registered", async () => {
  using w = world({ ".claude/skills": "a file" });
  const { lines, failures } = await installHooksAndSkills(w.options());
  expect(lines).toEqual([`installed Claude Code agent hooks in ${w.dir.join(".claude/settings.json")}`]);
  expect(readFileSync(w.dir.join(".claude/settings.json"), "utf8")).toContain("--source=roborev-agent-hook");
  expect(failures).toEqual([
    {
      displayName: "Claude Code",
      path: w.dir.join(".claude/skills"),
      cause: expect.stringContaining("not a directory"),
    },
  ]);
});

test("hooks that cannot be registered bring no skills: a refused place gets nothing at all", async () => {
  using w = world({ ".claude/settings.json": "{", "repo/.git/HEAD": "", "repo/.factory/hooks.json": "{}" });
  const broken = await installHooksAndSkills(w.options());
  expect(broken.failures).toHaveLength(1);
  expect(readdirSync(w.dir.join(".claude"))).toEqual(["settings.json"]);
  const config = w.dir.join("repo/.factory/hooks.json");
  expect((await installHooksAndSkills(w.options({ agent: "droid", config }))).failures).toHaveLength(1);
  expect(readdirSync(w.dir.join("repo/.factory"))).toEqual(["hooks.json"]);
});

test("W with --config they go into the directory of that configuration", async () => {
  using w = world();
  await installHooksAndSkills(w.options({ config: w.dir.join("work/settings.json") }));
  expect(readdirSync(w.dir.join("work")).sort()).toEqual(["settings.json", "skills"]);
  await installHooksAndSkills(w.options({ agent: "grok", config: w.dir.join("g/hooks/roborev.json") }));
  expect(readdirSync(w.dir.join("g")).sort()).toEqual(["hooks", "skills"]);
});

test("a skill that was edited is kept, and the installer says so without failing", async () => {
  using w = world();
  mkdirSync(w.dir.join(".claude/skills/roborev-fix"), { recursive: true });
  writeFileSync(w.dir.join(".claude/skills/roborev-fix/SKILL.md"), "mine\n");
  const { lines, notices, failures } = await installHooksAndSkills(w.options());
  expect(lines[1]).toStartWith("installed 7 skills for Claude Code in ");
  expect(notices).toContain(
    `Kept for Claude Code, because it was edited: roborev-fix in ${w.dir.join(".claude/skills")}`,
  );
  expect(failures).toEqual([]);
  expect(readFileSync(w.dir.join(".claude/skills/roborev-fix/SKILL.md"), "utf8")).toBe("mine\n");
});
