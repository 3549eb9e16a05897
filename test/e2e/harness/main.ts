// Drives the genuine Claude Code and Codex programs, without a terminal and without a network, against a scripted model:
// the hooks are those that `roborev agent-hook install` wrote, the commits are the agent's own, and every check reads
// what the model was sent. Not part of the test suite, because the programs are large and belong to others:
//   bun run build && CLAUDE_BIN=… CODEX_BIN=… bun test/e2e/harness/main.ts [claude|codex] [name of a scenario]…
// Prints one line per check; exit 1 on a miss. Where the system allows it, everything runs in a network namespace that
// has nothing but loopback.
// Seen so far: nothing missed with Claude Code 2.1.332 and 2.1.197, Codex 0.171.0 and 0.144.6. Claude Code 2.0.76 and Codex
// 0.124.0 name no sub-agent in their events, so there the reminder for its commit reaches the sub-agent; and 2.0.76 ends
// with status 1 ("only prompt commands are supported") when a background command ends in a turn that a hook prolonged.
import { copyFileSync, existsSync } from "node:fs";
import { binary } from "../../support/binary.ts";
import { tempDir } from "../../support/temp.ts";
import { createChecks } from "./check.ts";
import { claudeProgram, codexProgram, type Program } from "./program.ts";
import type { Scenario } from "./scenario.ts";
import { faultScenarios } from "./scenarios/faults.ts";
import { placeScenarios } from "./scenarios/places.ts";
import { reminderScenarios } from "./scenarios/reminders.ts";
import { reviewerScenarios } from "./scenarios/reviewers.ts";
import { shellScenarios } from "./scenarios/shells.ts";
import { trustScenarios } from "./scenarios/trust.ts";
import { openScene, type SceneOptions } from "./scene.ts";

const scenarios: Scenario[] = [
  ...reminderScenarios,
  ...shellScenarios,
  ...placeScenarios,
  ...faultScenarios,
  ...trustScenarios,
  ...reviewerScenarios,
];

const isolated = "E2E_LOOPBACK_ONLY";
const enterLoopback = 'ip link set lo up && exec "$@"';

/** The exit status of this program run again in its own network namespace; undefined where that is not allowed. */
function runIsolated(): number | undefined {
  if (process.env[isolated] !== undefined) return undefined;
  const namespace = ["unshare", "-n", "sh", "-c"];
  if (Bun.which("unshare") === null || Bun.which("ip") === null) return undefined;
  if (Bun.spawnSync([...namespace, enterLoopback, "sh", "true"]).exitCode !== 0) return undefined;
  const again = [process.execPath, import.meta.path, ...process.argv.slice(2)];
  const run = Bun.spawnSync([...namespace, enterLoopback, "sh", ...again], {
    env: { ...process.env, [isolated]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return run.exitCode ?? 1;
}

function findPrograms(): Program[] {
  const { CLAUDE_BIN: claude, CODEX_BIN: codex } = process.env;
  for (const [name, path] of Object.entries({ CLAUDE_BIN: claude, CODEX_BIN: codex })) {
    if (!path) process.stdout.write(`skipped: ${name} is not set\n`);
    else if (!existsSync(path)) throw new Error(`${name}: ${path} does not exist`);
  }
  return [...(claude ? [claudeProgram(claude)] : []), ...(codex ? [codexProgram(codex)] : [])];
}

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const programs = findPrograms();
  const names = words.filter((word) => word !== "claude" && word !== "codex");
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join(", ")}`);
  // Not below /tmp, which Codex's sandbox treats specially.
  process.env.TMPDIR = "/var/tmp";
  using builds = tempDir();
  const build = builds.join("roborev");
  copyFileSync(binary, build);
  const checks = createChecks();
  for (const program of programs) {
    if (words.some((word) => word !== program.name && !names.includes(word))) continue;
    process.stdout.write(`\n${program.name}: ${program.version}\n`);
    for (const scenario of scenarios) {
      if (names.length > 0 && !names.includes(scenario.name)) continue;
      if (scenario.only !== undefined && scenario.only !== program.name) continue;
      process.stdout.write(`${scenario.name}: ${scenario.promise}\n`);
      const open = (options: Partial<SceneOptions> = {}) => openScene({ program, binary: build, ...options });
      try {
        await scenario.play({ program, open, check: checks.check, equal: checks.equal });
      } catch (error) {
        checks.check("the scenario came to its end", false, String(error));
      }
    }
  }
  process.stdout.write(`\n${checks.passed} passed, ${checks.failed} failed\n`);
  return checks.failed === 0 && checks.passed > 0 ? 0 : 1;
}

process.exitCode = runIsolated() ?? (await main());
