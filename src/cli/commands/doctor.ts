import { redactSecrets } from "../../lib/redact.ts";
import { singleLine } from "../../lib/text.ts";
import { define } from "../command.ts";
import type { Check, Severity } from "../doctor/finding.ts";

export const doctor = define({
  meta: {
    name: "doctor",
    description: "Check everything that has to work here, and say what is wrong and what mends it.",
  },
  args: {
    fix: { type: "boolean", description: "Mend what can be mended without touching anybody's bytes" },
  },
  tidiesUp: "fix",
  details: `It looks at the program, the data directory, the configuration, the daemon, the git hooks of this repository,
    the reviewers, the hooks and skills of coding agents, and the environment. It starts no daemon and no reviewer, and
    without --fix it changes nothing.

    --fix narrows permissions of files of ours, writes git hooks of ours anew inside of the git directory, updates
    outdated skills that nobody edited, and starts the daemon. For the rest it says the command.

    roborev check-agents asks the reviewers for a word, roborev agent-hook doctor tells more of coding agents.`,
  exitCodes: {
    0: "no errors; there may be warnings",
    1: "there are errors, or something could not be mended",
  },
  examples: ["roborev doctor", "roborev doctor --fix", "roborev doctor --json"],
  async run(context) {
    const { args, flags, out } = context;
    const { examine } = await import("../doctor/examine.ts");
    const { applyMends, planMends } = await import("../doctor/mend.ts");
    let checks = await examine(context);
    const mends = args.fix ? planMends(checks) : [];
    const mended = args.fix ? await applyMends(mends, context) : undefined;
    if (mends.length > 0) checks = await examine(context);
    const failures = (mended?.failed ?? []).map((line) => singleLine(redactSecrets(line)));
    if (flags.json)
      out.json({
        ...shape(checks),
        ...(mended === undefined ? {} : { fixed: mended.done, not_fixed: failures }),
      });
    else {
      const { doctorScreen } = await import("../doctor/text.ts");
      for (const line of mended?.done ?? []) out.print(`fixed: ${singleLine(line)}`);
      if (mends.length > 0) out.print("");
      out.print(redactSecrets(doctorScreen(checks, out)));
    }
    for (const failure of failures) out.note(`Error: ${failure}`);
    return countOf(checks, "error") > 0 || failures.length > 0 ? 1 : 0;
  },
});

const countOf = (checks: readonly Check[], severity: Severity): number =>
  checks.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;

/** What `--json` prints. */
function shape(checks: readonly Check[]) {
  const errors = countOf(checks, "error");
  return {
    healthy: errors === 0,
    errors,
    warnings: countOf(checks, "warning"),
    checks: checks.map(({ name, title, summary, findings }) => ({
      name,
      title,
      status: statusOf(findings.map(({ severity }) => severity)),
      summary: redactSecrets(summary),
      findings: findings.map(({ code, severity, message, repair, mend }) => ({
        code,
        severity,
        message: redactSecrets(message),
        ...(repair === undefined ? {} : { repair: redactSecrets(repair) }),
        ...(mend === undefined ? {} : { fixable: true }),
      })),
    })),
  };
}

const statusOf = (severities: readonly Severity[]): "ok" | "warning" | "error" =>
  severities.includes("error") ? "error" : severities.includes("warning") ? "warning" : "ok";
