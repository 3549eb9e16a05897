// Runs the genuine reviewer programs in a booby-trapped checkout against a model on loopback:
//   CLAUDE_BIN=… CODEX_BIN=… bun test/e2e/reviewer/main.ts [--record <directory>]
// Not part of the test suite: the programs are large and belong to others. Prints one line per check; exit 1 on a miss.
// --record keeps the programs' output, with the paths of this machine replaced, as fixtures for the parser tests.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReviewerOutcome } from "../../../src/review/agents/outcome.ts";
import { findReviewer } from "../../../src/review/agents/registry.ts";
import { snapshotReading } from "../../../src/review/agents/snapshot-reading.ts";
import { runReviewer } from "../../../src/review/agents/spawn.ts";
import { type Snapshot, tryPlanSnapshot } from "../../../src/review/prompt/snapshot.ts";
import { startStubModel, type Turn } from "./stub.ts";
import { buildTrap, type Trap } from "./trap.ts";

const programs = { "claude-code": process.env.CLAUDE_BIN, codex: process.env.CODEX_BIN };
const recordAt = process.argv.indexOf("--record");
const recordTo = recordAt === -1 ? undefined : process.argv[recordAt + 1];
let misses = 0;

function check(what: string, holds: boolean, seen: unknown = ""): void {
  if (!holds) misses++;
  process.stdout.write(
    `${holds ? "ok  " : "MISS"} ${what}${holds ? "" : ` — ${JSON.stringify(seen).slice(0, 600)}`}\n`,
  );
}

interface Run {
  outcome: ReviewerOutcome;
  trap: Trap;
  output: string;
  /** Everything the model was sent. */
  requests: string;
  tools: string[];
}

async function review(
  name: string,
  program: string,
  record: string,
  turns: (trap: Trap) => Turn[],
  options: { thenResume?: boolean; file?: Snapshot } = {},
): Promise<Run> {
  const reviewer = findReviewer(name);
  if (!reviewer) throw new Error(name);
  const script: Turn[] = [];
  using model = startStubModel(script);
  using trap = buildTrap(model.port);
  script.push(...turns(trap));
  const { file } = options;
  if (file) writeFileSync(join(trap.checkout, file.fileName), file.text, { mode: 0o600 });
  const chunks: Uint8Array[] = [];
  const start = (prompt: string, sessionId?: string) =>
    runReviewer(reviewer, {
      jobId: 7,
      command: [program],
      cwd: trap.checkout,
      prompt,
      reasoning: "thorough",
      timeoutMs: 60_000,
      signal: AbortSignal.timeout(90_000),
      env: { ...trap.env, TMPDIR: trap.temp },
      onStart: () => {},
      onOutput: (chunk) => void chunks.push(chunk.slice()),
      ...(sessionId === undefined ? {} : { sessionId }),
    });
  let outcome = await start("Review this. PROMPT-MARK");
  if (options.thenResume && outcome.ok && outcome.sessionId !== undefined) {
    model.requests.length = 0;
    outcome = await start("And this.", outcome.sessionId);
  }
  const output = Buffer.concat(chunks).toString();
  if (recordTo !== undefined) {
    mkdirSync(recordTo, { recursive: true });
    const root = join(trap.home, "..");
    const slug = root.replace(/[^A-Za-z0-9]/g, "-");
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    const text = lines.join("\n").replaceAll(root, "/trap").replaceAll(slug, "-trap");
    writeFileSync(join(recordTo, `${name}-${record}.jsonl`), `${text}\n`);
  }
  if (file) {
    const path = join(trap.checkout, file.fileName);
    check(`${name} ${record}: the file is unchanged`, readFileSync(path, "utf8") === file.text);
    rmSync(path);
  }
  check(`${name} ${record}: no canary`, trap.canaries().length === 0, trap.canaries());
  const dirty = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: trap.checkout }).stdout.toString();
  check(`${name} ${record}: the tree is unchanged`, dirty === "", dirty);
  const requests = JSON.stringify(model.requests.map((request) => request.body));
  return { outcome, trap, output, requests, tools: model.requests[0]?.tools ?? [] };
}

/** The trap must be able to spring, or its silence means nothing. */
async function control(name: string, program: string): Promise<void> {
  using model = startStubModel([{ text: "No issues found." }]);
  using trap = buildTrap(model.port);
  const plain = {
    "claude-code": ["-p", "--output-format", "json", "hello"],
    codex: ["exec", "--json", "--dangerously-bypass-hook-trust", "hello"],
  }[name];
  const env = {
    ...trap.env,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
    PATH: process.env.PATH ?? "",
  };
  const child = Bun.spawn([program, ...(plain ?? [])], {
    cwd: trap.checkout,
    env,
    stdout: "ignore",
    stderr: "ignore",
  });
  await Promise.race([child.exited, Bun.sleep(30_000)]);
  child.kill("SIGKILL");
  const sprung = trap.canaries();
  check(
    `${name}: the trap springs without our switches`,
    sprung.some((one) => one.includes("project")),
    sprung,
  );
}

/** A file as large as this reviewer is ever given one, read section by section: every line must reach the model whole. */
async function snapshotIsRead(name: string, program: string): Promise<void> {
  const reading = snapshotReading[name];
  if (!reading) throw new Error(`${name} reads no snapshots`);
  const wide = "w".repeat(reading.maxLineLength - 20);
  const lines: string[] = [];
  for (
    let bytes = 0;
    bytes < reading.maxBytes - 2 * reading.maxLineLength;
    bytes += (lines.at(-1)?.length ?? 0) + 1
  )
    lines.push(`+line ${lines.length} ${lines.length % 50 === 0 ? wide : "some words of code"};`);
  const diff = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,${lines.length} @@\n${lines.join("\n")}\n`;
  const file = tryPlanSnapshot(diff, reading, crypto.randomUUID());
  if (!file) throw new Error("the file is too large");
  const all = file.text.split("\n");
  const ends = all.flatMap((line, index) => (line.startsWith("\\ roborev mark") ? [index + 1] : []));
  const run = await review(
    name,
    program,
    "snapshot",
    (trap) => [
      ...ends.map((end, index) => {
        const from = (ends[index - 1] ?? 0) + 1;
        return { read: join(trap.checkout, file.fileName), from, lines: end - from + 1 };
      }),
      { text: "No issues found." },
    ],
    { file },
  );
  check(`${name}: the review of a file arrives`, run.outcome.ok, run.outcome);
  const unread = file.marks.filter((mark) => !run.requests.includes(mark));
  check(`${name}: all ${file.marks.length} marks of a file reach the model`, unread.length === 0, unread);
  const lost = lines.filter((line) => !run.requests.includes(line));
  check(`${name}: all ${lines.length} lines of a file reach the model`, lost.length === 0, lost.length);
}

const finding = "- **Severity**: High\n- **Location**: a.txt:1\n- **Problem**: wrong\n- **Fix**: right";

for (const [name, program] of Object.entries(programs)) {
  if (!program) {
    process.stdout.write(`skip ${name}: set ${name === "codex" ? "CODEX_BIN" : "CLAUDE_BIN"}\n`);
    continue;
  }
  await control(name, program);

  const whole = await review(name, program, "review", (trap) => [
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
  check(
    `${name}: with usage`,
    outcome.ok && outcome.usage?.output === 10 && outcome.usage.input >= 20,
    outcome,
  );
  check(`${name}: the file was read`, whole.requests.includes("content of a.txt"));
  check(`${name}: the prompt arrives`, whole.requests.includes("PROMPT-MARK"));
  check(
    `${name}: no instructions or skills of the project`,
    !whole.requests.includes("CANARY-"),
    whole.tools,
  );
  check(
    `${name}: no tools but those to read`,
    name === "codex"
      ? !whole.tools.some((tool) => /mcp|web_search|spawn_agent/.test(tool))
      : whole.tools.every((tool) => /^(Read|Glob|Grep|DeferredToolPlaceholder)$/.test(tool)),
    whole.tools,
  );

  const resumed = await review(name, program, "resumed", () => [{ text: "No issues found." }], {
    thenResume: true,
  });
  check(
    `${name}: a session is resumed`,
    resumed.outcome.ok && resumed.requests.includes("PROMPT-MARK"),
    resumed.outcome,
  );
  check(
    `${name}: a resumed session has the same tools only`,
    `${resumed.tools}` === `${whole.tools}`,
    resumed.tools,
  );

  const resumedShell = await review(
    name,
    program,
    "resumed-shell",
    (trap) => [{ text: "First." }, { shell: `touch '${trap.checkout}/evil'` }, { text: "No issues found." }],
    { thenResume: true },
  );
  check(`${name}: a resumed session changes nothing`, resumedShell.outcome.ok, resumedShell.outcome);

  const shell = await review(name, program, "shell", (trap) => [
    { shell: `touch '${trap.home}/../canary/shell' '${trap.checkout}/evil'; cat a.txt; env` },
    { text: "No issues found." },
  ]);
  check(`${name}: a command changes nothing`, shell.outcome.ok, shell.outcome);
  check(`${name}: and sees no credentials`, !/key-of-the-(user|session)/.test(shell.requests));

  await snapshotIsRead(name, program);

  if (name === "claude-code") {
    const outside = await review(name, program, "outside", (trap) => [
      { read: join(trap.home, ".claude.json") },
      { text: "No issues found." },
    ]);
    check(
      `${name}: nothing outside the checkout is read`,
      !outside.requests.includes("hasCompletedOnboarding"),
    );
  }
  for (const [record, status, message, reason] of [
    ["too-long", 400, "prompt is too long: 250000 tokens > 200000 maximum context window", "context-window"],
    ["quota", 400, "quota exceeded: your credit balance is too low", "quota"],
    ["no-text", 0, "", "empty"],
  ] as const) {
    const failed = await review(name, program, record, () => [
      status === 0 ? { text: "  " } : { fail: status, message },
    ]);
    check(
      `${name}: ${record} is ${reason}`,
      !failed.outcome.ok && failed.outcome.reason === reason,
      failed.outcome,
    );
  }
}
process.exitCode = misses === 0 ? 0 : 1;
