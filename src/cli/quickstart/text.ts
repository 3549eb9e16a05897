import { reviewerText } from "../../lib/review-text.ts";
import { singleLine } from "../../lib/text.ts";
import type { Output } from "../output.ts";
import { namesOf, type Step } from "./steps.ts";
import type { HookState, Survey } from "./survey.ts";

/** The screen of `roborev quickstart`: what is here, what to run next, and what every day looks like. */
export function quickstartText(survey: Survey, steps: readonly Step[], out: Output): string {
  return [
    out.paint("bold", "Here"),
    ...rows(survey, out).map(([label, text]) => `  ${label.padEnd(13)}${text}`),
    "",
    out.paint("bold", "Next"),
    ...stepLines(steps),
    "",
    out.paint("bold", "Every day"),
    ...aligned([
      ["git commit", "a review starts by itself"],
      ["roborev wait", "until the one of HEAD is there; exit 1 if it found something"],
      ["roborev show HEAD", "read it; with --json for programs"],
      ["roborev comment 42 …", "say what you did about review 42"],
      ["roborev close 42", "when it is dealt with"],
    ]),
  ].join("\n");
}

function rows(survey: Survey, out: Output): [string, string][] {
  const { repo, hooks, daemon, guidelines, default_agent: reviewer, agents } = survey;
  const others = agents.filter(({ name, available }) => available && name !== reviewer);
  const also = others.length === 0 ? "" : `; also here: ${others.map(({ name }) => name).join(", ")}`;
  return [
    ["Repository", repo.in_repo ? singleLine(repo.root ?? "") : out.paint("yellow", "you are in none")],
    ...(hooks === null ? [] : [["Git hooks", hookText(hooks, out)] as [string, string]]),
    ["Reviewer", reviewer === null ? out.paint("yellow", "none") : `${reviewerText(reviewer)}${also}`],
    ["Daemon", daemonText(daemon, out)],
    ...(repo.in_repo && repo.registered !== null
      ? [["Reviews", reviewsText(repo, out)] as [string, string]]
      : []),
    ["Guidelines", guidelines.source ?? "none"],
    ["Agents", agentText(survey, out)],
  ];
}

const hookWords: Record<HookState, string> = {
  current: "installed",
  outdated: "outdated",
  missing: "not installed",
  foreign: "not installed, there is one of somebody else",
  non_shell: "not installed, there is one that is no shell script",
};

function hookText({ post_commit, post_rewrite }: NonNullable<Survey["hooks"]>, out: Output): string {
  const paint = (state: HookState, text: string) => (state === "current" ? text : out.paint("yellow", text));
  if (post_commit === post_rewrite) return paint(post_commit, hookWords[post_commit]);
  return [
    paint(post_commit, `post-commit ${hookWords[post_commit]}`),
    paint(post_rewrite, `post-rewrite ${hookWords[post_rewrite]}`),
  ].join(", ");
}

function daemonText({ running, version, problem }: Survey["daemon"], out: Output): string {
  if (problem !== undefined) return out.paint("yellow", singleLine(problem));
  return running ? `running, version ${singleLine(version ?? "")}` : "not running; the next commit starts it";
}

function reviewsText({ registered, open_failed_reviews: open }: Survey["repo"], out: Output): string {
  if (!registered) return out.paint("yellow", "the daemon does not know this repository");
  return open === 0 || open === null
    ? "none failed and open on this branch"
    : `${open} failed and open on this branch`;
}

function agentText({ agent_hook, skills }: Survey, out: Output): string {
  const here = Object.keys(agent_hook).filter((name) => agent_hook[name] !== "no_agent");
  if (here.length === 0) return "no coding agent is known here";
  return here
    .map((name) => {
      const hook = agent_hook[name] === "installed" ? "reminded" : out.paint("yellow", "not reminded");
      const skill = skills[name] === "installed" || skills[name] === "edited" ? "skills" : "no skills";
      return `${namesOf([name])} (${hook}, ${skills[name] === "outdated" ? "outdated skills" : skill})`;
    })
    .join(", ");
}

const stepLines = (steps: readonly Step[]): string[] =>
  aligned(steps.map(({ command, why }) => [command ?? "(by hand)", why]));

function aligned(lines: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...lines.map(([command]) => command.length));
  return lines.map(([command, why]) => `  ${command.padEnd(width)}  ${why}`);
}
