import { median, type Summary, summarize } from "./summary.ts";

/** One program whose whole life, from spawn to reaped, is timed. */
export interface Candidate {
  name: string;
  argv: string[];
  stdin?: string;
  env: Record<string, string>;
  cwd: string;
  /** Throws when the run did not do what it is timed for. */
  check?(stdout: string): void;
  /** What it says on standard error; otherwise it must say nothing. */
  says?: string;
}

export interface Measured extends Summary {
  name: string;
  /** One for each round. */
  times: number[];
}

/** Runs all candidates `rounds` times, one after the other in a rotating order, so that drift hits all of them alike. */
export function measure(candidates: Candidate[], rounds: number, warmUp = 5): Measured[] {
  const times = candidates.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (let place = 0; place < candidates.length; place++) {
      const index = (place + round + warmUp) % candidates.length;
      const elapsedMs = timeOne(candidates[index] as Candidate);
      if (round >= 0) times[index]?.push(elapsedMs);
    }
  }
  return candidates.map(({ name }, index) => {
    const own = times[index] ?? [];
    return { name, ...summarize(own), times: own };
  });
}

/** Median over the rounds of what one took against what the other took in the same round. */
export const ratio = (one: Measured, other: Measured): number =>
  median(one.times.map((ms, round) => ms / (other.times[round] ?? ms)));

function timeOne({ name, argv, stdin = "", env, cwd, check, says }: Candidate): number {
  const input = new TextEncoder().encode(stdin);
  const startNs = Bun.nanoseconds();
  const run = Bun.spawnSync(argv, { stdin: input, env, cwd, stdout: "pipe", stderr: "pipe" });
  const elapsedMs = (Bun.nanoseconds() - startNs) / 1e6;
  const stderr = run.stderr.toString().trim();
  const isExpected = says === undefined ? stderr === "" : stderr.includes(says);
  if (run.exitCode !== 0 || !isExpected) throw new Error(`${name}: exit ${run.exitCode}, ${stderr}`);
  check?.(run.stdout.toString());
  return elapsedMs;
}
