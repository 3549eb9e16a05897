import { join } from "node:path";
import type { Figure } from "./figure.ts";

const path = join(import.meta.dir, "baseline.json");
const tolerance = 1.15;

/** Ratios that the project stands by, by name of the figure. */
type Baseline = Record<string, number>;

/** Ratios that got worse by more than 15 %, or that the baseline does not know, one line each. */
export async function compareWithBaseline(figures: Figure[]): Promise<string[]> {
  const baseline = (await Bun.file(path).json()) as Baseline;
  const ratios = figures.filter(({ isRatio }) => isRatio);
  return ratios.flatMap(({ name, value }) => {
    const before = baseline[name];
    if (before === undefined) return [`${name}: not in the baseline; write it with --update`];
    if (value <= before * tolerance) return [];
    return [`${name}: ${value.toFixed(2)}, was ${before.toFixed(2)} (${percent(value / before)})`];
  });
}

export async function writeBaseline(figures: Figure[]): Promise<void> {
  const ratios = figures.filter(({ isRatio }) => isRatio);
  const baseline = Object.fromEntries(ratios.map(({ name, value }) => [name, Number(value.toFixed(2))]));
  await Bun.write(path, `${JSON.stringify(baseline, null, 2)}\n`);
}

const percent = (factor: number): string => `+${Math.round((factor - 1) * 100)} %`;
