import { loadGlobalConfig } from "../../config/load.ts";
import { findCheckout } from "../../git/checkout.ts";
import { elapsedText } from "../../lib/job-text.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { ReviewerCheck } from "../../review/check-reviewer.ts";
import { wholeNumber } from "../arguments.ts";
import { define } from "../command.ts";
import { daemonEnvironment } from "../daemon-environment.ts";
import { readRepoConfig } from "../repo-config.ts";
import { knownReviewer } from "../reviewer.ts";
import { refuseInReviewer } from "./review.ts";

type Results = Record<ReviewerCheck["result"], number>;

export const checkAgents = define({
  meta: {
    name: "check-agents",
    description:
      "Ask every installed reviewer for one word, here and read-only, and say which of them answer.",
  },
  args: {
    agent: {
      type: "string",
      valueHint: "name",
      description: "Only this one, which then has to be installed",
    },
    timeout: { type: "string", default: "60", valueHint: "seconds", description: "Most time for each" },
    "large-prompt": { type: "boolean", description: "Ask with a prompt as large as those of large reviews" },
  },
  tidiesUp: true,
  details: `Each runs as it would for a review: the same program, switches, environment and model. Needs no daemon. The
    question is sent to the reviewer's vendor and costs what such a question costs. With --large-prompt it is 200 KB,
    and the answer must name words from its beginning, its middle and its end: one that was cut short fails.`,
  exitCodes: { 0: "none failed", 1: "at least one failed" },
  examples: [
    "roborev check-agents",
    "roborev check-agents --agent codex --timeout 120",
    "roborev check-agents --large-prompt",
  ],
  async run(context) {
    const { args, flags, out, signal } = context;
    refuseInReviewer(context.env, "run reviewers");
    const timeoutMs = wholeNumber(args.timeout, "--timeout", { min: 1, max: 3600 }) * 1000;
    const only = await knownReviewer(args.agent);
    const { checkReviewer } = await import("../../review/check-reviewer.ts");
    const { automaticReviewers } = await import("../../review/agents/registry.ts");
    const { config: global } = await loadGlobalConfig(context.paths().config);
    const cwd = context.cwd();
    const checkout = await findCheckout(cwd);
    const repo = checkout ? await readRepoConfig(checkout) : {};
    const env = await daemonEnvironment(context.env, signal, (problem) => out.detail(problem));
    const names = only === undefined ? automaticReviewers().map(({ name }) => name) : [only];
    const totals: Results = { ok: 0, failed: 0, skipped: 0 };
    const checks: Record<string, unknown>[] = [];
    for (const name of names) {
      using _ = out.waiting(`Asking ${name}`);
      const asked = await checkReviewer({
        ...{ name, global, repo, cwd, env, timeoutMs, signal },
        isLarge: args["large-prompt"],
      });
      const check: ReviewerCheck =
        only !== undefined && asked.result === "skipped" ? { ...asked, result: "failed" } : asked;
      totals[check.result]++;
      checks.push(shape(name, check));
      if (!flags.json) out.print(`${name.padEnd(11)}  ${checkText(check)}`);
    }
    if (flags.json) out.json({ agents: checks, ...totals });
    else out.print(`${totals.ok} ok, ${totals.failed} failed, ${totals.skipped} skipped`);
    return totals.failed > 0 ? 1 : 0;
  },
});

function shape(agent: string, check: ReviewerCheck): Record<string, unknown> {
  if (check.result !== "ok") return { agent, ...check };
  const { result, bytes, durationMs } = check;
  return { agent, result, bytes, duration_ms: durationMs };
}

function checkText(check: ReviewerCheck): string {
  if (check.result !== "ok") return `${check.result}: ${singleLine(check.reason)}`;
  return `ok: ${plural(check.bytes, "byte")} in ${elapsedText(check.durationMs)}`;
}
