/** One program whose whole life, from spawn to reaped, is timed. */
export interface Candidate {
  name: string;
  argv: string[];
  stdin: string;
  env: Record<string, string>;
  cwd: string;
  /** Throws when the run did not do what it is timed for. */
  check(stdout: string): void;
}

export interface Measured {
  name: string;
  medianMs: number;
  /** 5th percentile: what the program takes when nothing else wants the machine. */
  p5Ms: number;
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
    const sorted = (times[index] ?? []).sort((a, b) => a - b);
    return { name, medianMs: quantile(sorted, 0.5), p5Ms: quantile(sorted, 0.05) };
  });
}

function timeOne({ name, argv, stdin, env, cwd, check }: Candidate): number {
  const input = new TextEncoder().encode(stdin);
  const startNs = Bun.nanoseconds();
  const run = Bun.spawnSync(argv, { stdin: input, env, cwd, stdout: "pipe", stderr: "pipe" });
  const elapsedMs = (Bun.nanoseconds() - startNs) / 1e6;
  const stderr = run.stderr.toString().trim();
  if (run.exitCode !== 0 || stderr !== "") throw new Error(`${name}: exit ${run.exitCode}, ${stderr}`);
  check(run.stdout.toString());
  return elapsedMs;
}

const quantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
