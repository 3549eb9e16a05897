import { join } from "node:path";
import { compareWithBaseline, writeBaseline } from "./baseline.ts";
import { measureChunk } from "./chunk.ts";
import { measureCommands } from "./commands.ts";
import { bareFigure, type Figure, isMet, ratioFigure } from "./figure.ts";
import { measureGrowth } from "./growth.ts";
import { measureHook } from "./hook.ts";
import { measureLoad } from "./load.ts";
import { describeMachine } from "./machine.ts";
import type { Measured } from "./measure.ts";
import { measureReviewMemory } from "./memory.ts";
import { runWithPriority } from "./priority.ts";
import { buildScene, failReviews, residentMiB } from "./scene.ts";

// bun run bench            measure, print, write dist/bench.json; exit 1 where a target is missed
// bun run bench --check    and where a ratio is worse than baseline.json by more than 15 %
// bun run bench --update   and write baseline.json
// Times are of this machine; only ratios, all taken within one run, mean the same elsewhere.

const growthTarget = 1.3;
const residentTargetMiB = 80;
const resultsPath = join(import.meta.dir, "..", "..", "dist", "bench.json");

async function main(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--check" && arg !== "--update");
  if (unknown) throw new Error(`unknown argument ${unknown}; known: --check, --update`);
  const machine = describeMachine();
  console.log(
    Object.entries(machine)
      .map(([name, value]) => `${name} ${value}`)
      .join(", "),
  );
  using scene = await buildScene();
  await failReviews(scene, 3); // below the threshold of 4, so that every event is evaluated and stays silent
  const hook = await measureHook(scene);
  const { daemon } = JSON.parse(scene.run("status", "--json")) as { daemon: { pid: number } };
  const resident = residentMiB(daemon.pid);
  const commands = await measureCommands(scene);
  const growth = await measureGrowth(scene);
  const figures: Figure[] = [
    ...hook.figures,
    ...commands.figures,
    ...growth.map(({ event, size, smallMs, largeMs }) =>
      ratioFigure(`${event}, ${size}`, largeMs / smallMs, "little", growthTarget),
    ),
    ...(await measureLoad(scene)),
    bareFigure("daemon, resident", resident, "MiB", residentTargetMiB),
    await measureReviewMemory(scene),
    await measureChunk(),
  ];
  printTimes([...hook.measured, ...commands.measured]);
  for (const name of hook.absent) console.log(`absent: ${name}`);
  printFigures(figures);
  const times = [...hook.measured, ...commands.measured].map(({ times: _, ...summary }) => summary);
  const { absent } = hook;
  await Bun.write(resultsPath, `${JSON.stringify({ machine, times, figures, absent }, null, 2)}\n`);
  if (args.includes("--update")) await writeBaseline(figures);
  const worse = args.includes("--check") ? await compareWithBaseline(figures) : [];
  for (const line of worse) console.log(`worse than the baseline: ${line}`);
  return figures.every(isMet) && worse.length === 0 ? 0 : 1;
}

function printTimes(measured: Measured[]): void {
  console.log(`\n${"ms, from spawn to reaped".padEnd(36)} ${"min".padStart(8)} ${"median".padStart(8)} p99`);
  for (const { name, min, median, p99 } of measured) {
    const [least, middle] = [min, median].map((ms) => ms.toFixed(2).padStart(8));
    console.log(`${name.padEnd(36)} ${least} ${middle} ${p99.toFixed(2)}`);
  }
}

function printFigures(figures: Figure[]): void {
  console.log("");
  for (const figure of figures) {
    const { name, value, unit, target } = figure;
    const shown = value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
    const wanted = target === undefined ? "" : `  (≤ ${Number(target.toFixed(3))})`;
    const verdict = target === undefined ? "" : isMet(figure) ? " ok" : " MISSED";
    console.log(`${name.padEnd(48)} ${shown.padStart(8)} ${unit}${wanted}${verdict}`);
  }
}

process.exitCode = runWithPriority() ?? (await main(process.argv.slice(2)));
