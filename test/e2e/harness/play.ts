import { findHarness } from "../../../src/harness/registry.ts";
import { type Checks, createChecks } from "../check.ts";
import type { Installed } from "../install/cache.ts";
import { type Facts, noFacts } from "./facts.ts";
import { measuredRows, missingRows, type Rows } from "./matrix.ts";
import { installedProgram, type Program } from "./program.ts";
import { programKinds } from "./programs/all.ts";
import type { Scenario, Stage } from "./scenario.ts";
import { openScene, type SceneOptions } from "./scene.ts";
import type { Plan } from "./selection.ts";

export interface Played {
  passed: number;
  failed: number;
  /** One line per check, under the names of program and scenario. */
  lines: string[];
  /** For the page; absent when too little was played to say anything. */
  rows?: Rows;
}

/** The scenarios of a plan, which may be played at the same time; the last one to end has the rows. */
export function piecesOf(plan: Plan, installed: Installed, build: string): (() => Promise<Played>)[] {
  const { release, scenarios, complete } = plan;
  const harness = findHarness(release.name);
  const kind = programKinds.find(({ name }) => name === release.name);
  if (harness === undefined || kind === undefined) throw new Error(`${release.name} is no harness`);
  if ("problem" in installed) {
    const line = `\nMISS ${release.name} ${release.version} cannot be installed: ${installed.problem}`;
    const rows = missingRows(harness, release.version, `**cannot be installed**: ${installed.problem}`);
    return [async () => ({ passed: 0, failed: 1, lines: [line], rows })];
  }
  const program = installedProgram(kind, release, installed.path);
  const facts = noFacts();
  let left = scenarios.length;
  return scenarios.map((scenario) => async () => {
    const played = await playScenario(scenario, program, build, facts);
    if (--left > 0 || !complete.whole) return played;
    const owed = { afterTool: program.hearsAfterTool, reviews: complete.review, texts: complete.texts };
    return { ...played, rows: measuredRows(harness, release.version, facts, owed) };
  });
}

async function playScenario(
  scenario: Scenario,
  program: Program,
  build: string,
  facts: Facts,
): Promise<Played> {
  const lines = [`\n${program.name} ${program.version}, ${scenario.name}: ${scenario.promise}`];
  const checks = createChecks((line) => void lines.push(line));
  const stage = stageOf(program, build, checks, facts);
  try {
    await stage.shows(scenario.shows, () => scenario.play(stage));
  } catch (error) {
    checks.check("the scenario came to its end", false, String(error));
  }
  return { passed: checks.passed, failed: checks.failed, lines };
}

function stageOf(program: Program, binary: string, checks: Checks, facts: Facts): Stage {
  const { check, equal } = checks;
  return {
    program,
    facts,
    check,
    equal,
    open: (options: Partial<SceneOptions> = {}) => openScene({ program, binary, ...options }),
    async shows(promise, part) {
      const { failed } = checks;
      let ended = false;
      try {
        const result = await part();
        ended = true;
        return result;
      } finally {
        if (promise !== undefined) {
          facts.held[promise] = (facts.held[promise] ?? true) && ended && checks.failed === failed;
        }
      }
    },
  };
}
