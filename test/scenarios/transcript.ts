// A transcript is a session at a terminal, to be played again:
//
//   # why this matters                         comment
//   $ roborev show nope                        a command line, run by sh in the repository; `$ cd …` lasts
//   > a line on standard output                all lines, exactly; `> ...` stands for any number of them
//   ! Error: nope is neither a commit …        standard error
//   ? 1                                        exit status, where it is not 0
//
//   -- shop/.roborev.toml --                   files below the stage, at the end; those of bin/ are executable
//
// The files of bin/ here are commands for all of them, such as `commit` and the hook calls of coding agents.
// What differs from run to run is written as stage.ts names it: <subject of a commit>, <pid>, <time>, $REPO.

export interface Step {
  /** Line number in the file. */
  at: number;
  command: string;
  stdout: string[];
  stderr: string[];
  code: number;
}

/** What a command really did. */
export type Result = Pick<Step, "stdout" | "stderr" | "code">;

export interface Transcript {
  steps: Step[];
  files: { path: string; content: string }[];
}

export function parseTranscript(text: string): Transcript {
  const [session = "", ...rest] = text.split(/^-- (\S+) --\n/m);
  const steps: Step[] = [];
  session.split("\n").forEach((line, index) => {
    const mark = line.slice(0, 1);
    const body = line.slice(2);
    const step = steps.at(-1);
    if (mark === "$") steps.push({ at: index + 1, command: body, stdout: [], stderr: [], code: 0 });
    else if (mark === "" || mark === "#") return;
    else if (step === undefined) throw new Error(`line ${index + 1} stands before the first command`);
    else if (mark === ">") step.stdout.push(body);
    else if (mark === "!") step.stderr.push(body);
    else if (mark === "?") step.code = Number(body);
    else throw new Error(`line ${index + 1} is not of a transcript: ${line}`);
  });
  const files = [];
  for (let at = 0; at + 1 < rest.length; at += 2) {
    files.push({ path: rest[at] as string, content: rest[at + 1] as string });
  }
  return { steps, files };
}

/** Whether lines are as expected, where `...` stands for any number of lines. */
export function matchesLines(actual: readonly string[], expected: readonly string[]): boolean {
  const [first, ...others] = expected;
  if (first === undefined) return actual.length === 0;
  if (first !== "...") return actual[0] === first && matchesLines(actual.slice(1), others);
  return actual.some((_, at) => matchesLines(actual.slice(at), others)) || matchesLines([], others);
}

export const matches = (step: Step, result: Result): boolean =>
  step.code === result.code &&
  matchesLines(result.stdout, step.stdout) &&
  matchesLines(result.stderr, step.stderr);

/** The lines of a transcript that state a result. */
export function renderResult({ stdout, stderr, code }: Result): string[] {
  return [
    ...stdout.map((line) => `> ${line}`.trimEnd()),
    ...stderr.map((line) => `! ${line}`.trimEnd()),
    ...(code === 0 ? [] : [`? ${code}`]),
  ];
}

/** The transcript with what really happened in the place of what does not match. */
export function updateTranscript(text: string, results: ReadonlyMap<Step, Result>): string {
  const lines = text.split("\n");
  for (const [step, result] of [...results].reverse()) {
    if (matches(step, result)) continue;
    const old = lines.slice(step.at).findIndex((line) => !/^[>!?]/.test(line));
    lines.splice(step.at, old, ...renderResult(result));
  }
  return lines.join("\n");
}
