import { outOfReach, type Release, releases } from "../install/releases.ts";
import { programKinds } from "./programs/all.ts";
import type { Scenario } from "./scenario.ts";

/** What is played of one release. */
export interface Plan {
  release: Release;
  scenarios: Scenario[];
  /** Whether that is enough for its rows of the page, and whether its reviews and our texts belong to them. */
  complete: { whole: boolean; review: boolean; texts: boolean };
}

export interface Selection {
  plans: Plan[];
  /** Programs that cannot be started here, and whether they were asked for by name. */
  unreachable: { name: string; reason: string; asked: boolean }[];
}

const groups = ["journey", "review", "deep"];
const kindOf = (release: Release) => programKinds.find((kind) => kind.name === release.name);
const harnessReleases = releases.filter((release) => kindOf(release) !== undefined);
const idOf = ({ name, version }: Release) => `${name}@${version}`;

/**
 * Words name programs (`claude`: all its releases, `claude@2.0.76`: one), groups and scenarios; of each kind, none
 * means all. Older releases play the journey only, unless a scenario is asked of one by its whole name.
 */
export function select(words: readonly string[], scenarios: readonly Scenario[]): Selection {
  const isProgram = (word: string) =>
    word in outOfReach || harnessReleases.some((release) => word === release.name || word === idOf(release));
  const isScenario = (word: string) =>
    groups.includes(word) || scenarios.some((scenario) => scenario.name === word);
  const unknown = words.filter((word) => !isProgram(word) && !isScenario(word));
  if (unknown.length > 0) throw new Error(`no program, group or scenario is called ${unknown.join(", ")}`);
  const named = words.filter(isProgram);
  const wanted = words.filter(isScenario);
  const plans = harnessReleases
    .filter((release) => named.length === 0 || named.includes(release.name) || named.includes(idOf(release)))
    .map((release) => {
      const suitable = scenarios.filter((scenario) =>
        suits(scenario, release, named.includes(idOf(release)) && wanted.includes(scenario.name)),
      );
      const played = suitable.filter(
        ({ name, group }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(group),
      );
      const onPage = scenarios.filter((one) => one.group !== "deep" && suits(one, release, false));
      const review = onPage.some(({ group }) => group === "review");
      const texts = onPage.some(({ needs }) => needs === "readsTexts");
      const whole = onPage.every((one) => played.includes(one));
      return { release, scenarios: played, complete: { whole, review, texts } };
    })
    .filter((plan) => plan.scenarios.length > 0);
  const unreachable = Object.entries(outOfReach)
    .filter(([name]) => named.length === 0 || named.includes(name))
    .map(([name, reason]) => ({ name, reason, asked: named.includes(name) }));
  return { plans, unreachable };
}

const deepPrograms = ["claude", "codex"];

function suits({ group, only, needs }: Scenario, release: Release, byName: boolean): boolean {
  if (only !== undefined && only !== release.name) return false;
  const newest = harnessReleases.find(({ name }) => name === release.name);
  if (needs !== undefined && !byName && (release !== newest || kindOf(release)?.[needs] !== true))
    return false;
  if (group === "journey") return true;
  if (release !== newest && !byName) return false;
  if (group === "review") return kindOf(release)?.reviewer !== undefined;
  return deepPrograms.includes(release.name);
}
