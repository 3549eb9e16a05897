import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check, Mend } from "../../../src/cli/doctor/finding.ts";
import { planMends } from "../../../src/cli/doctor/mend.ts";
import { requireCheckout } from "../../../src/cli/place.ts";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import { sealed, sealSlot } from "../../../src/skills/seal.ts";
import { reply } from "../../client/fake-daemon.ts";
import { tempDir } from "../../support/temp.ts";
import { place } from "../place.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const status = { healthy: true, components: [], recent_errors: [] };

test("what several findings ask for is done once, the daemon's start last", () => {
  const check = (...mends: Mend[]): Check => ({
    ...{ name: "x", title: "X", summary: "" },
    findings: mends.map((mend) => ({ code: "c", severity: "error", message: "m", mend })),
  });
  const chmod: Mend = { do: "chmod", path: "/a", mode: 0o600 };
  expect(
    planMends([
      check({ do: "start-daemon" }, { do: "git-hooks", hooks: ["post-commit"] }),
      check({ do: "git-hooks", hooks: ["post-rewrite", "post-commit"] }, { do: "start-daemon" }, chmod),
      check({ do: "skills", agents: ["claude"] }),
    ]),
  ).toEqual([
    chmod,
    { do: "git-hooks", hooks: ["post-commit", "post-rewrite"] },
    { do: "skills", agents: ["claude"] },
    { do: "start-daemon" },
  ]);
});

test("--fix mends permissions, hooks and skills of ours, and leaves every foreign byte and mode as it is", async () => {
  await using at = place({ "GET /api/status": () => status });
  using home = tempDir();
  const env = { HOME: home.path, PATH: `${home.join("bin")}:/usr/bin:/bin`, SHELL: "/bin/sh" };
  mkdirSync(home.join("bin"));
  symlinkSync(process.execPath, home.join("bin/roborev"));
  const cli = (...argv: string[]) => at.cli(argv, { env });
  const hooks = join(at.repo.path, ".git/hooks");
  const theirs = "#!/bin/sh\necho theirs\n";
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, "post-rewrite"), theirs, { mode: 0o755 });
  await installGitHooks(await requireCheckout(at.repo.path, (child) => child), { binary: "/gone/roborev" });
  const embedded = readFileSync(join(hooks, "post-rewrite"), "utf8");
  chmodSync(join(hooks, "post-rewrite"), 0o644);
  chmodSync(join(hooks, "post-commit"), 0o644);
  writeFileSync(join(at.dataDir, "config.toml"), 'default_agent = "test"\n', { mode: 0o644 });
  writeFileSync(home.join("dotfile"), "x", { mode: 0o644 });
  symlinkSync(home.join("dotfile"), join(at.dataDir, "missed-commits.jsonl"));
  chmodSync(at.dataDir, 0o755);
  mkdirSync(home.join(".claude"));
  await cli("skills", "install");
  const skill = home.join(".claude/skills/roborev-fix/SKILL.md");
  const edited = home.join(".claude/skills/roborev-review/SKILL.md");
  writeFileSync(edited, `${readFileSync(edited, "utf8")}my own words\n`);

  const older = sealed(`---\nname: roborev-fix\nmetadata:\n  ${sealSlot}\n---\nOld words.\n`);
  writeFileSync(skill, older);

  const before = JSON.parse((await cli("doctor", "--json")).stdout);
  const codes = before.checks.flatMap(({ findings }: Check) => findings.map(({ code }) => code));
  expect(codes).toEqual(
    expect.arrayContaining([
      "open-directory",
      "open-file",
      "hook-not-executable",
      "hook-program",
      "skills-edited",
      "skills-outdated",
    ]),
  );
  expect(modeOf(at.dataDir)).toBe("755"); // looking changed nothing

  const { stdout } = await cli("doctor", "--fix", "--json");
  const after = JSON.parse(stdout);
  expect(after.fixed).toEqual(
    expect.arrayContaining([
      `chmod 700 ${at.dataDir}`,
      `chmod 600 ${at.dataDir}/config.toml`,
      `chmod 755 ${hooks}/post-commit`,
    ]),
  );
  expect(after.not_fixed).toEqual([]);
  expect([
    modeOf(at.dataDir),
    modeOf(join(at.dataDir, "config.toml")),
    modeOf(join(hooks, "post-commit")),
  ]).toEqual(["700", "600", "755"]);
  // The program of our part is another one now; everything around it, and the mode that kept it from running, stayed.
  const rewritten = readFileSync(join(hooks, "post-rewrite"), "utf8");
  expect(rewritten).toBe(embedded.replace("/gone/roborev", home.join("bin/roborev")));
  expect(rewritten).toEndWith("echo theirs\n");
  expect(modeOf(join(hooks, "post-rewrite"))).toBe("644");
  expect(modeOf(home.join("dotfile"))).toBe("644");
  expect(readFileSync(edited, "utf8")).toEndWith("my own words\n");
  expect(readFileSync(skill, "utf8")).not.toContain("Old words.");
  expect(after.fixed.join("\n")).toContain("updated 1 skill for Claude Code");
});

test("--fix that cannot start the daemon says why, and exits 1", async () => {
  await using at = place();
  await at.daemon.stop();
  const result = await at.cli(["doctor", "--fix"], { env: { SHELL: "/bin/sh" } });
  expect(result.code).toBe(1);
  expect(result.stderr).toStartWith("Error: a daemon cannot be started from");
  expect(result.stdout).toContain("No daemon runs");
});

test("doctor looks on when one thing cannot be looked at, and cleans what strangers wrote", async () => {
  await using at = place({ "GET /api/status": () => reply(500, { error: "bad\u001b[31m state" }) });
  mkdirSync(join(at.dataDir, "post-commit.log"));
  const result = await at.cli(["doctor"], { env: { SHELL: "/bin/sh" } });
  expect(result.code).toBe(1);
  expect(result.stdout).toContain("Last commits    could not be looked at");
  expect(result.stdout).toContain("error: Bad [31m state.");
  expect(result.stdout).not.toContain("\u001b");
  expect(result.stdout).toContain("+ Skills ");
});
