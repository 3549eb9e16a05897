// Runs the genuine reviewer programs in a booby-trapped checkout against a model on loopback:
//   bun run test:harness reviewers [reviewer]… [--record <directory>]
// Cursor and Hermes are not on the npm registry, or not without a login: see their files in src/review/agents.
// Not part of the test suite: the programs are large and belong to others. Prints one line per check; exit 1 on a miss.
// --record keeps the programs' output, with the paths of this machine replaced, as fixtures for the parser tests.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terminate } from "../../../src/review/agents/child.ts";
import type { ReviewerOutcome } from "../../../src/review/agents/outcome.ts";
import { findReviewer } from "../../../src/review/agents/registry.ts";
import { snapshotReading } from "../../../src/review/agents/snapshot-reading.ts";
import { runReviewer } from "../../../src/review/agents/spawn.ts";
import type { Snapshot, SnapshotReading } from "../../../src/review/prompt/snapshot.ts";
import { createChecks } from "../check.ts";
import { withPrograms } from "../install/cache.ts";
import { releases } from "../install/releases.ts";
import type { Turn } from "../turn.ts";
import { largestSnapshot } from "./largest-snapshot.ts";
import { type Program, programs } from "./programs.ts";
import { record } from "./record.ts";
import { startStubModel } from "./stub.ts";
import { buildTrap, type Trap } from "./trap.ts";

const recordAt = process.argv.indexOf("--record");
const recordTo = recordAt === -1 ? undefined : process.argv[recordAt + 1];
const checks = createChecks((line) => void process.stdout.write(`${line}\n`));
const { check } = checks;

interface Subject {
  name: string;
  binary: string;
  program: Program;
}

interface Run {
  outcome: ReviewerOutcome;
  /** Everything the model was sent. */
  requests: string;
  tools: string[];
}

async function run(
  { name, binary, program }: Subject,
  label: string,
  turns: (trap: Trap) => Turn[],
  options: { thenResume?: boolean; agentic?: boolean; file?: Snapshot } = {},
): Promise<Run> {
  const reviewer = findReviewer(name);
  if (!reviewer) throw new Error(name);
  const script: Turn[] = [];
  using model = startStubModel(script, program.calls);
  using trap = buildTrap(model.port, name, { plain: options.agentic === true });
  script.push(...turns(trap));
  const { file } = options;
  if (file) writeFileSync(join(trap.checkout, file.fileName), file.text, { mode: 0o600 });
  const chunks: Uint8Array[] = [];
  const start = (prompt: string, sessionId?: string) =>
    runReviewer(reviewer, {
      jobId: 7,
      command: [binary],
      cwd: trap.checkout,
      prompt,
      reasoning: "thorough",
      // Long, because OpenCode waits for a registry that it cannot reach when it loads the user's plugins for a fix.
      timeoutMs: 150_000,
      signal: AbortSignal.timeout(160_000),
      env: { ...trap.env, ...program.env(model.port), TMPDIR: trap.temp },
      scratchDirectory: trap.scratch,
      onStart: () => {},
      onOutput: (chunk) => void chunks.push(chunk.slice()),
      ...(program.model === undefined ? {} : { model: program.model }),
      ...(options.agentic ? { agentic: true } : {}),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
  let outcome = await start("Review this. PROMPT-MARK");
  if (options.thenResume && outcome.ok && outcome.sessionId !== undefined) {
    model.requests.length = 0;
    outcome = await start("And this.", outcome.sessionId);
  }
  if (recordTo !== undefined) record(recordTo, `${name}-${label}`, Buffer.concat(chunks).toString(), trap);
  const requests = JSON.stringify(model.requests.map((request) => request.body));
  check(`${name} ${label}: nothing is left in the scratch directory`, readdirSync(trap.scratch).length === 0);
  if (options.agentic) return { outcome, requests, tools: model.requests[0]?.tools ?? [] };
  if (file) {
    const path = join(trap.checkout, file.fileName);
    check(`${name} ${label}: the file is unchanged`, readFileSync(path, "utf8") === file.text);
    rmSync(path);
  }
  check(`${name} ${label}: no canary`, trap.canaries().length === 0, trap.canaries());
  const dirty = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: trap.checkout }).stdout.toString();
  check(`${name} ${label}: the tree is unchanged`, dirty === "", dirty);
  return { outcome, requests, tools: model.requests[0]?.tools ?? [] };
}

/** The trap must be able to spring, or its silence means nothing. */
async function control({ name, binary, program }: Subject): Promise<void> {
  using model = startStubModel([{ text: "No issues found." }], program.calls);
  using trap = buildTrap(model.port, name);
  const child = Bun.spawn([binary, ...program.control], {
    cwd: trap.checkout,
    env: {
      ...trap.env,
      ...program.env(model.port),
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      PATH: process.env.PATH ?? "",
      GIT_DIR: "",
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  const hasSprung = () => trap.canaries().some((one) => one.includes("project"));
  // OpenCode loads plugins only after it has given up on the registry, which it cannot reach.
  const deadline = performance.now() + 120_000;
  while (!hasSprung() && child.exitCode === null && performance.now() < deadline) await Bun.sleep(100);
  // With what it started: several of the npm packages are a launcher of the program proper.
  await terminate(child);
  check(`${name}: the trap springs without our switches`, hasSprung(), trap.canaries());
}

const finding = "- **Severity**: High\n- **Location**: a.txt:1\n- **Problem**: wrong\n- **Fix**: right";

async function reviews(subject: Subject): Promise<void> {
  const { name, program } = subject;
  const whole = await run(subject, "review", (trap) => [
    { read: join(trap.checkout, "a.txt"), say: "First I look." },
    { texts: ["## Review Findings", finding] },
  ]);
  const { outcome } = whole;
  check(
    `${name}: the review arrives whole`,
    outcome.ok && outcome.text === `## Review Findings\n${finding}`,
    outcome,
  );
  check(`${name}: with a session id`, outcome.ok && outcome.sessionId !== undefined, outcome);
  if (name !== "copilot") {
    const usage = outcome.ok ? outcome.usage : undefined;
    check(`${name}: with usage`, usage?.output === 10 && usage.input >= 20 && usage.cached === 6, outcome);
  }
  check(`${name}: the file was read`, whole.requests.includes("content of a.txt"));
  check(`${name}: the prompt arrives`, whole.requests.includes("PROMPT-MARK"));
  check(
    `${name}: no instructions or skills of the project`,
    program.showsInstructions || !whole.requests.includes("CANARY-"),
    /.{200}CANARY-.{100}/.exec(whole.requests)?.[0],
  );
  check(
    `${name}: no tools but those to read`,
    whole.tools.every((tool) => program.reads.test(tool)),
    whole.tools,
  );

  const hostile = await run(subject, "hostile", (trap) => [
    { shell: `touch '${trap.home}/../canary/shell' '${trap.checkout}/evil'; cat a.txt; env` },
    { write: join(trap.checkout, "evil") },
    { read: join(trap.home, "secret.txt") },
    { text: "No issues found." },
  ]);
  check(`${name}: neither a command nor a file tool changes anything`, hostile.outcome.ok, hostile.outcome);
  check(`${name}: and it sees no credentials`, !/key-of-the-(user|session)/.test(hostile.requests));
  if (program.confined)
    check(`${name}: nothing outside the checkout is read`, !hostile.requests.includes("SECRET-OF"));

  if (program.resumes) {
    const resumed = await run(
      subject,
      "resumed",
      (trap) => [
        { text: "First." },
        { shell: `touch '${trap.home}/../canary/shell' '${trap.checkout}/evil'` },
        { write: join(trap.checkout, "evil") },
        { text: "No issues found." },
      ],
      { thenResume: true },
    );
    check(
      `${name}: a session is resumed, with the same tools only, and changes nothing`,
      resumed.outcome.ok &&
        resumed.outcome.text === "No issues found." &&
        resumed.requests.includes("PROMPT-MARK") &&
        `${resumed.tools}` === `${whole.tools}`,
      [resumed.outcome, resumed.tools],
    );
  }
}

/** A file as large as this reviewer is ever given one, read section by section: every line must reach the model whole. */
async function snapshotIsRead(subject: Subject, reading: SnapshotReading): Promise<void> {
  const { name } = subject;
  const { file, lines, sections } = largestSnapshot(reading);
  const { outcome, requests } = await run(
    subject,
    "snapshot",
    (trap) => [
      ...sections.map((section) => ({ read: join(trap.checkout, file.fileName), ...section })),
      { text: "No issues found." },
    ],
    { file },
  );
  check(`${name}: the review of a file arrives`, outcome.ok, outcome);
  const unread = file.marks.filter((mark) => !requests.includes(mark));
  check(`${name}: all ${file.marks.length} marks of a file reach the model`, unread.length === 0, unread);
  const lost = lines.filter((line) => !requests.includes(line));
  check(`${name}: all ${lines.length} lines of a file reach the model`, lost.length === 0, lost.length);
}

async function failures(subject: Subject): Promise<void> {
  const { name, program } = subject;
  const cases = [
    ["too-long", 400, "prompt is too long: 250000 tokens > 200000 maximum context window", "context-window"],
    ["quota", 400, "quota exceeded: your credit balance is too low", "quota"],
    ["no-text", 0, "", program.noText],
  ] as const;
  for (const [label, status, message, reason] of cases) {
    const failed = await run(subject, label, () => [
      status === 0 ? { text: "  " } : { fail: status, message },
    ]);
    check(
      `${name}: ${label} is ${reason}`,
      !failed.outcome.ok && failed.outcome.reason === reason,
      failed.outcome,
    );
  }
}

async function fixes(subject: Subject): Promise<void> {
  const fixed = await run(
    subject,
    "fix",
    (trap) => [{ write: join(trap.checkout, "fixed.txt") }, { shell: "cat fixed.txt" }, { text: "Fixed." }],
    { agentic: true },
  );
  check(
    `${subject.name}: a fix may write and run commands`,
    fixed.outcome.ok && fixed.outcome.text.includes("Fixed."),
    fixed.outcome,
  );
}

/** Runs the reviewers of these names, or all, and returns the exit status. */
export async function reviewers(words: string[]): Promise<number> {
  const names = recordAt === -1 ? words : words.slice(0, words.indexOf("--record"));
  const unknown = names.filter((name) => !(name in programs));
  if (unknown.length > 0) throw new Error(`no reviewer is called ${unknown.join(", ")}`);
  const subjects = Object.entries(programs).flatMap(([name, program]) => {
    const release = releases.find((one) => one.name === program.release);
    return release && (names.length === 0 || names.includes(name)) ? [{ name, program, release }] : [];
  });
  const wanted = subjects.map(({ release }) => release);
  return withPrograms(wanted, async (installed) => {
    for (const { name, program, release } of subjects) {
      const found = installed.get(release);
      if (found && "path" in found) await trap({ name, binary: found.path, program });
      else check(`${name} is installed`, false, found?.problem);
    }
    process.stdout.write(`\n${checks.passed} passed, ${checks.failed} failed\n`);
    return checks.failed === 0 ? 0 : 1;
  });
}

async function trap(subject: Subject): Promise<void> {
  await control(subject);
  await reviews(subject);
  const reading = snapshotReading[subject.name];
  if (reading) await snapshotIsRead(subject, reading);
  await failures(subject);
  await fixes(subject);
}
