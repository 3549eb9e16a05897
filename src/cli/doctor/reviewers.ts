import type { Checkout } from "../../git/checkout.ts";
import { reviewerText } from "../../lib/review-text.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { Context } from "../command.ts";
import { daemonEnvironment } from "../daemon-environment.ts";
import { type ReviewersHere, reviewersHere } from "../reviewers-here.ts";
import { type Check, error, type Finding, note, warning } from "./finding.ts";
import { danglingLinks, type Launch, launchProblem, probeLaunch } from "./launch.ts";

/** Who can review here, as the daemon would find them; none is run. */
export interface ReviewersFound extends ReviewersHere {
  /** Of those that are available, by name. */
  launches: Record<string, Launch>;
  /** Links to nowhere with the name of a reviewer's program, by the name of the reviewer. */
  dangling: Record<string, string[]>;
  /** Why the PATH of the login shell is not known. */
  pathProblem?: string;
}

export async function probeReviewers(
  context: Context,
  checkout: Checkout | undefined,
): Promise<ReviewersFound> {
  let pathProblem: string | undefined;
  const env = await daemonEnvironment(context.env, context.signal, (problem) => {
    pathProblem = problem;
  });
  const { findExecutable, searchPath } = await import("../../review/agents/executable.ts");
  const { automaticReviewers } = await import("../../review/agents/registry.ts");
  const found = await reviewersHere(context, checkout, env);
  const launches = await Promise.all(
    found.agents.flatMap(({ name, path }) =>
      path === undefined
        ? []
        : [
            probeLaunch(path, env, (word) => findExecutable(word, env)).then(
              (launch) => [name, launch] as const,
            ),
          ],
    ),
  );
  const missing = new Set(found.agents.filter(({ available }) => !available).map(({ name }) => name));
  const dangling = automaticReviewers()
    .filter(({ name }) => missing.has(name))
    .map(({ name, command }) => [name, danglingLinks(command, searchPath(env))] as const);
  return {
    ...found,
    launches: Object.fromEntries(launches),
    dangling: Object.fromEntries(dangling.filter(([, links]) => links.length > 0)),
    ...(pathProblem === undefined ? {} : { pathProblem }),
  };
}

/** `configRefused`: a configuration file is, which is told already and keeps every reviewer back. */
export function judgeReviewers(found: ReviewersFound, configRefused: boolean): Check {
  const { default_agent: chosen, default_agent_problem: problem, launches, dangling, pathProblem } = found;
  const findings: Finding[] = [];
  if (chosen === null && !configRefused)
    findings.push(
      error(
        "no-reviewer",
        `nobody can review here: ${singleLine(problem ?? "no reviewer is installed")}`,
        "Then ask it for a word: roborev check-agents",
      ),
    );
  for (const [name, launch] of Object.entries(launches)) {
    const why = launchProblem(launch);
    if (why === undefined) continue;
    const report = name === chosen ? error : warning;
    findings.push(
      report(
        "reviewer-start",
        `reviewer ${name} will not start: ${why}`,
        `roborev check-agents --agent ${name}`,
      ),
    );
  }
  for (const [name, links] of Object.entries(dangling)) {
    findings.push(
      warning(
        "reviewer-link",
        `reviewer ${name}: ${links.map(singleLine).join(" and ")} leads nowhere`,
        "Install it again, or remove the link.",
      ),
    );
  }
  // Only then it may be the reason.
  if (pathProblem !== undefined && chosen === null && !configRefused)
    findings.push(note("login-path", `it was looked for without one thing: ${singleLine(pathProblem)}`));
  return {
    name: "reviewers",
    title: "Reviewers",
    summary: summaryOf(found, configRefused),
    findings,
  };
}

function summaryOf({ agents, default_agent: chosen }: ReviewersFound, configRefused: boolean): string {
  if (chosen === null) return configRefused ? "not known as long as the configuration is refused" : "none";
  const others = agents.filter(({ name, available }) => available && name !== chosen).map(({ name }) => name);
  const also =
    others.length === 0 ? "" : `, and ${plural(others.length, "other")} here: ${others.join(", ")}`;
  return `${reviewerText(chosen)}${also}`;
}
