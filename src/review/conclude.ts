import { createHash } from "node:crypto";
import type { GlobalConfig } from "../config/schema.ts";
import type { Evidence, TokenUsage } from "../store/schema.ts";
import { isSandboxOff } from "./agents/sandbox.ts";
import type { JobOutcome } from "./job-outcome.ts";
import { judge } from "./judge.ts";
import type { Material } from "./material.ts";
import { parseDiff } from "./prompt/diff-file.ts";
import { diffFilePath } from "./prompt/diff-path.ts";
import type { ReviewPrompt } from "./prompt/input.ts";
import type { ReviewText } from "./run-parts.ts";
import { type PreparedJob, partSeparator, type RunServices } from "./run-services.ts";

const maxNamedFiles = 100;

interface FinishedJob extends PreparedJob {
  parts: ReviewText[];
  global: GlobalConfig;
  /** The reviewer had to read the diff from a file and does not show that it did. */
  onUnread(): void;
}

/** Reads the verdict and stores the review; a text without one is a failed job, never a pass. */
export async function conclude(
  { database }: RunServices,
  { job, workerId, material, selected, prompt, parts, global, onUnread }: FinishedJob,
): Promise<JobOutcome> {
  const answers = parts.map((part) => part.text);
  const floor = material.settings.minSeverity?.value;
  const messages = material.commits.map(({ subject, body }) => `${subject}\n${body}`);
  const result = judge(prompt, answers, { messages, ...(floor === undefined ? {} : { floor }) });
  if (result.kind === "none") {
    if (prompt.snapshot && (result.cause === "snapshot" || result.cause === "unable")) onUnread();
    // Asked once more at most: a reviewer that gives no verdict twice will not give one the third time.
    return {
      kind: "failed",
      error: `no-verdict: ${result.reason}`,
      retryable: job.retry_count === 0,
    };
  }
  const usage = totalUsage(parts);
  const sessionId = parts.at(-1)?.sessionId;
  await database((store) => {
    const stored = store.jobs.complete(job.id, workerId, {
      agent: selected.reviewer.name,
      prompt: prompt.prompts.join(partSeparator),
      output: answers.join(partSeparator),
      verdict: result.verdict,
      findings: result.findings,
      evidence: {
        ...evidenceOf(material, prompt, result.basis),
        ...(isSandboxOff(selected.reviewer, global) ? { without_sandbox: true } : {}),
      },
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(usage === undefined ? {} : { tokenUsage: usage }),
    });
    if (!stored) return;
    const passes = result.verdict === "P" && material.settings.autoClosePassing;
    // The commit was rewritten meanwhile: nobody is to mend what is gone.
    const isGone = store.jobs.get(job.id)?.superseded_by !== undefined;
    if (passes || isGone) store.reviews.setClosed(job.id, true, "auto");
  });
  return { kind: "completed" };
}

function evidenceOf(
  { diff, sha, baseSha, checkout }: Material,
  prompt: ReviewPrompt,
  basis: string,
): Evidence {
  return {
    ...(sha === undefined ? {} : { reviewed_sha: sha }),
    ...(baseSha === undefined ? {} : { base_sha: baseSha }),
    checkout: checkout.worktreeRoot,
    files_in_diff: diff.files.length,
    files_sent: prompt.filesSent,
    diff_bytes: diff.bytes,
    delivery: prompt.delivery,
    chunks: prompt.prompts.length,
    sent_files: sentFiles(prompt),
    diff_sha256: createHash("sha256").update(prompt.covers.join("")).digest("hex"),
    ...(prompt.snapshot ? { nonce_ok: true } : {}),
    excluded_files: diff.excludedFiles,
    ...(prompt.unshown.length === 0 ? {} : { unshown_files: prompt.unshown }),
    basis,
  };
}

/** Names of the files that the reviewer was given; `files_sent` counts them all. */
function sentFiles({ covers, unshown }: ReviewPrompt): string[] {
  const hidden = new Set(unshown.map(({ path }) => path));
  const names = new Set(covers.flatMap((text) => parseDiff(text).map(diffFilePath)));
  return [...names].filter((name) => !hidden.has(name)).slice(0, maxNamedFiles);
}

/** Usage of all parts together, undefined when no part told any. */
function totalUsage(parts: ReviewText[]): TokenUsage | undefined {
  const usages = parts.map((part) => part.usage).filter((usage) => usage !== undefined);
  if (usages.length === 0) return undefined;
  const sum = (pick: (usage: TokenUsage) => number | undefined) =>
    usages.reduce((total, usage) => total + (pick(usage) ?? 0), 0);
  const costKnown = usages.some((usage) => usage.cost_usd !== undefined);
  return {
    input: sum((usage) => usage.input),
    cached: sum((usage) => usage.cached),
    output: sum((usage) => usage.output),
    ...(costKnown ? { cost_usd: sum((usage) => usage.cost_usd) } : {}),
  };
}
