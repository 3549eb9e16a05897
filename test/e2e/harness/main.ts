// Drives the genuine programs of the harnesses, without a terminal and without a network, against a scripted model: the
// programs come from the npm registry into a cache (.cache/harness, or HARNESS_CACHE), the hooks are those that `roborev
// agent-hook install` wrote, the commits are the agent's own, and every check reads what the model was sent.
//   bun run test:harness [program[@version] | journey | review | deep | scenario]… [--check]
//   bun run test:harness reviewers [reviewer]… [--record <directory>]
// `journey`: every program from its installation to its end, and a model that takes our texts at their word; `review`: the reviewers among them, as reviewers and as those that fix; `deep`: everything else
// that the newest Claude Code and Codex are asked. `reviewers`: all reviewer programs in a booby-trapped checkout.
// Prints one line per check, writes test/e2e/matrix.md, exit 1 on a miss; with --check also if the page had to be changed.
// Where the system allows it, everything runs in a network namespace that has nothing but loopback.
// Claude Code 2.0.76 and Codex 0.124.0 name no sub-agent in their events, so there the reminder for its commit reaches the
// sub-agent; and 2.0.76 ends with status 1 ("only prompt commands are supported") when a background command ends in a turn
// that a hook prolonged.
import { copyFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { binary } from "../../support/binary.ts";
import { tempDir } from "../../support/temp.ts";
import { type Installed, withPrograms } from "../install/cache.ts";
import type { Release } from "../install/releases.ts";
import { reviewers } from "../reviewer/main.ts";
import { type Rows, unreachableRows, writeMatrix } from "./matrix.ts";
import { piecesOf } from "./play.ts";
import type { Scenario } from "./scenario.ts";
import { faultScenarios } from "./scenarios/faults.ts";
import { fixerScenarios } from "./scenarios/fixers.ts";
import { followScenarios } from "./scenarios/follow.ts";
import { journeyScenarios } from "./scenarios/journey.ts";
import { placeScenarios } from "./scenarios/places.ts";
import { reminderScenarios } from "./scenarios/reminders.ts";
import { reviewerScenarios } from "./scenarios/reviewers.ts";
import { shellScenarios } from "./scenarios/shells.ts";
import { trustScenarios } from "./scenarios/trust.ts";
import { type Selection, select } from "./selection.ts";

const scenarios: Scenario[] = [
  ...journeyScenarios,
  ...followScenarios,
  ...reviewerScenarios,
  ...fixerScenarios,
  ...reminderScenarios,
  ...shellScenarios,
  ...placeScenarios,
  ...faultScenarios,
  ...trustScenarios,
];

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function play(
  { plans, unreachable }: Selection,
  installed: ReadonlyMap<Release, Installed>,
  isChecked: boolean,
): Promise<number> {
  // Not below /tmp, which Codex's sandbox treats specially.
  process.env.TMPDIR = "/var/tmp";
  using builds = tempDir();
  const build = builds.join("roborev");
  copyFileSync(binary, build);
  let [passed, failed] = [0, 0];
  const rows: Rows[] = [];
  const waiting = plans.flatMap((plan) =>
    piecesOf(plan, installed.get(plan.release) ?? { problem: "nobody installed it" }, build),
  );
  const work = async () => {
    for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) {
      const played = await piece();
      passed += played.passed;
      failed += played.failed;
      if (played.rows) rows.push(played.rows);
      print(played.lines.join("\n"));
    }
  };
  // Most of a session is waiting: for a model that answers at once, and for programs that start.
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
  for (const { name, reason, asked } of unreachable) {
    rows.push(unreachableRows(name, reason));
    if (asked) failed++;
    print(`\n${name}\n  ${asked ? "MISS" : "none"} it cannot be installed here: ${reason}`);
  }
  if (writeMatrix(rows)) {
    print(`\n${isChecked ? "MISS " : ""}test/e2e/matrix.md said something else, and has been written anew`);
    if (isChecked) failed++;
  }
  print(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

async function main(words: string[]): Promise<number> {
  if (words[0] === "reviewers") return reviewers(words.slice(1));
  const isChecked = words.includes("--check");
  const named = words.filter((word) => word !== "--check");
  const selection = select(named, scenarios);
  const wanted = selection.plans.map(({ release }) => release);
  return withPrograms(wanted, (installed) => play(selection, installed, isChecked));
}

process.exitCode = await main(process.argv.slice(2));
