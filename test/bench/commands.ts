import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startDaemon } from "../support/daemon-process.ts";
import { type Figure, ratioFigure } from "./figure.ts";
import { type Candidate, type Measured, measure, ratio } from "./measure.ts";
import type { Scene } from "./scene.ts";
import { seed } from "./seed.ts";

const rounds = 30;
const listTarget = 1.5;

/** What a user waits for at a terminal, and how a list grows with what there is. */
export async function measureCommands(scene: Scene): Promise<{ figures: Figure[]; measured: Measured[] }> {
  const base = { env: scene.env, cwd: scene.repo };
  const command = (...args: string[]): Candidate => ({
    ...base,
    name: `roborev ${args.join(" ")}`,
    argv: [scene.roborev, ...args],
    check: expectText,
  });
  const started = measure(
    [
      { ...base, name: "empty program", argv: [scene.empty] },
      command("--help"),
      command("list"),
      command("status"),
    ],
    rounds,
  );
  const [empty, ...commands] = started as [Measured, ...Measured[]];
  const lists = await measureLists(scene);
  return {
    measured: [...started.slice(1), ...lists],
    figures: [
      ...commands.map((one) => ratioFigure(one.name, ratio(one, empty), "empty")),
      ratioFigure(
        "list, 100,000 jobs",
        ratio(lists[1] as Measured, lists[0] as Measured),
        "100 jobs",
        listTarget,
      ),
    ],
  };
}

async function measureLists(scene: Scene): Promise<Measured[]> {
  await using daemons = new AsyncDisposableStack();
  const head = scene.git("rev-parse", "HEAD");
  const candidates: Candidate[] = [];
  for (const jobs of [100, 100_000]) {
    const dataDir = join(scene.place, `listed-${jobs}`);
    mkdirSync(dataDir, { mode: 0o700 });
    const repo = { path: scene.repo, head, ahead: head, elsewhere: [head] };
    await seed(dataDir, repo, { sessions: 1, reviews: jobs, onePerOpen: 33, isOnMain: true });
    const env = { ...scene.env, ROBOREV_DATA_DIR: dataDir };
    daemons.use(await startDaemon(dataDir, env));
    const says = "There are more";
    const argv = [scene.roborev, "list"];
    candidates.push({ name: `list, ${jobs} jobs`, argv, env, cwd: scene.repo, check: expectText, says });
  }
  return measure(candidates, rounds);
}

function expectText(stdout: string): void {
  if (stdout.split("\n").length < 3) throw new Error(`expected some lines, got ${JSON.stringify(stdout)}`);
}
