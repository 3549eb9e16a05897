import type { Evidence, TokenUsage } from "../store/schema.ts";
import type { JobOutcome } from "./engine.ts";
import type { Material } from "./material.ts";
import { extractDiffs } from "./prompt/boundary.ts";
import { parseDiff } from "./prompt/diff-file.ts";
import { diffFilePath } from "./prompt/diff-path.ts";
import type { ReviewPrompt } from "./prompt/input.ts";
import type { ReviewText } from "./run-parts.ts";
import { type PreparedJob, partSeparator, type RunServices } from "./run-services.ts";
import { changeEvidence } from "./verdict/evidence-names.ts";
import { combineVerdicts, readVerdict, type VerdictResult } from "./verdict/verdict.ts";

/** Reads the verdict and stores the review; a text without one is a failed job, never a pass. */
export async function conclude(
  { database }: RunServices,
  { job, workerId, material, selected, prompt, parts }: PreparedJob & { parts: ReviewText[] },
): Promise<JobOutcome> {
  const result = verdictOf(material, prompt, parts);
  if (result.kind === "none") {
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
      output: parts.map((part) => part.text).join(partSeparator),
      verdict: result.verdict,
      findings: result.findings,
      evidence: evidenceOf(material, prompt, result.basis),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(usage === undefined ? {} : { tokenUsage: usage }),
    });
    const closes = stored && result.verdict === "P" && material.settings.autoClosePassing;
    if (closes) store.reviews.setClosed(job.id, true, "auto");
  });
  return { kind: "completed" };
}

/** Each part must show that it looked at what it was given, not at the change as a whole. */
function verdictOf(
  { settings }: Material,
  { prompts, unshown }: ReviewPrompt,
  parts: ReviewText[],
): VerdictResult {
  const floor = settings.minSeverity?.value;
  const hidden = new Set(unshown.map(({ path }) => path));
  return combineVerdicts(
    parts.map((part, index) => {
      const text = extractDiffs(prompts[index] ?? "").join("");
      const files = parseDiff(text).map((file) => ({ path: diffFilePath(file) }));
      const evidence = changeEvidence({ text, files: files.filter(({ path }) => !hidden.has(path)) });
      return readVerdict(part.text, { ...evidence, ...(floor === undefined ? {} : { floor }) });
    }),
  );
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
    excluded_files: diff.excludedFiles,
    ...(prompt.unshown.length === 0 ? {} : { unshown_files: prompt.unshown }),
    basis,
  };
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
