import { dirname, join } from "node:path";

// `bun run check`: everything that must hold before a change is done, one line a step, the last line with the counts.

const root = join(import.meta.dir, "..");
const bun = process.execPath;

interface Outcome {
  exitCode: number;
  output: string;
}

/** What is in one row runs at the same time, after the rows before. */
const steps: { name: string; argv: string[] }[][] = [
  [{ name: "install", argv: [bun, "install", "--frozen-lockfile"] }],
  [
    { name: "types", argv: [bun, "run", "types"] },
    { name: "lint", argv: [bun, "run", "lint", "--error-on-warnings"] },
    { name: "build", argv: [bun, join(root, "build.ts")] },
  ],
];

/** As many files at a time as there are processors, each as if it ran alone. */
const tests = [bun, "test", "--parallel", "--only-failures", "--timeout=120000"];

/** Counts as `bun test` prints them; its JUnit report leaves out files that fail before their first test. */
export function countTests({ exitCode, output }: Outcome): {
  passed: number;
  failed: number;
  skipped: number;
} {
  const count = (word: string) =>
    Number(new RegExp(`^\\s*(\\d+) ${word}$`, "gm").exec(lastLines(output))?.[1] ?? 0);
  const failed = count("fail");
  return {
    passed: count("pass"),
    failed: exitCode !== 0 && failed === 0 ? 1 : failed, // it crashed, or found no tests
    skipped: count("skip") + count("todo"),
  };
}

const lastLines = (output: string) => output.trimEnd().split("\n").slice(-12).join("\n");

export function summary({
  passed,
  failed,
  skipped,
}: {
  passed: number;
  failed: number;
  skipped: number;
}): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

async function run(argv: string[]): Promise<Outcome> {
  const child = Bun.spawn(argv, {
    cwd: root,
    // Scripts of package.json call `bun` by name: this one, wherever it comes from.
    env: {
      ...process.env,
      PATH: `${dirname(bun)}:${process.env.PATH ?? ""}`,
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, output: stdout + stderr };
}

async function timed(name: string, argv: string[], failed: (outcome: Outcome) => boolean): Promise<Outcome> {
  const startedMs = performance.now();
  const outcome = await run(argv);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (failed(outcome)) console.log(outcome.output.trimEnd());
  console.log(`${name.padEnd(8)} ${failed(outcome) ? "FAILED" : "ok"}  ${seconds} s`);
  return outcome;
}

async function main(): Promise<number> {
  for (const row of steps) {
    const outcomes = await Promise.all(
      row.map(({ name, argv }) => timed(name, argv, ({ exitCode }) => exitCode !== 0)),
    );
    const failed = outcomes.filter(({ exitCode }) => exitCode !== 0).length;
    if (failed > 0) {
      console.log(summary({ passed: 0, failed, skipped: 0 }));
      return 1;
    }
  }
  const counts = countTests(await timed("tests", tests, (outcome) => countTests(outcome).failed > 0));
  console.log(summary(counts));
  return counts.failed > 0 ? 1 : 0;
}

if (import.meta.main) process.exit(await main());
