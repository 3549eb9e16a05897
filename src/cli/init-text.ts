import type { HookOutcome } from "../git/hooks/outcome.ts";
import { reviewerText } from "../lib/review-text.ts";
import { singleLine } from "../lib/text.ts";
import type { ConfigOutcome } from "./config-file.ts";
import type { Finding } from "./doctor/finding.ts";
import { noteLines } from "./doctor/text.ts";
import type { Output } from "./output.ts";

export interface InitReport {
  repo: string;
  config: ConfigOutcome;
  hooks: HookOutcome[];
  /** Who reviews a commit now, or why nobody does. */
  reviewer?: string;
  reviewer_problem?: string;
  registered: boolean;
  /** Why the repository is not registered. */
  problem?: string;
  /** Why commits are not reviewed, each with what its user has to do. */
  missing: Todo[];
  /** What may keep them from it later. */
  advice: Todo[];
}

export type Todo = Pick<Finding, "code" | "message" | "repair">;

const hookWords: Record<HookOutcome["result"], string> = {
  installed: "installed",
  upgraded: "upgraded",
  current: "already there",
  "non-shell": "not installed",
  skipped: "left alone",
  restored: "put back as it was",
  removed: "removed",
  absent: "nothing to remove",
  kept: "left alone",
};

/** One line for each git hook. */
export function hookLines(hooks: readonly HookOutcome[]): string[] {
  return hooks.map(({ hook, result, path }) => `${hook} ${hookWords[result]}  ${singleLine(path)}`);
}

/** What needs the user's eye, for standard error. */
export function hookNotes(hooks: readonly HookOutcome[]): string[] {
  return hooks.flatMap(({ hook, warnings, snippet, backup }) => [
    ...warnings.map((warning) => `Warning: ${hook}: ${singleLine(warning)}`),
    ...(backup ? [`The former ${hook} hook is kept as ${singleLine(backup)}`] : []),
    ...(snippet ? [`Add this to your ${hook} hook by hand:\n${snippet.trimEnd().replace(/^/gm, "  ")}`] : []),
  ]);
}

const configWords: Record<ConfigOutcome["outcome"], string> = {
  created: "created",
  changed: "reviewer added to",
  kept: "kept",
};

/** What `init` did, and what to do next. */
export function initText(report: InitReport, out: Output): string {
  const { config, hooks } = report;
  const unchanged = config.outcome === "kept" && hooks.every(({ result }) => result === "current");
  return [
    `Config  ${configWords[config.outcome]} ${singleLine(config.path)}`,
    ...(config.outcome === "created" ? ["        findings below medium severity do not fail a review"] : []),
    ...hookLines(hooks).map((line, index) => `${index === 0 ? "Hooks " : "      "}  ${line}`),
    `Review  ${report.reviewer ? `by ${reviewerText(report.reviewer)}` : out.paint("yellow", "nobody can review yet")}`,
    `Daemon  ${report.registered ? "knows this repository" : out.paint("yellow", "does not know this repository yet")}`,
    "",
    ...outcomeLines(report, unchanged),
    "",
    "  roborev status              how it is going",
    "  roborev show HEAD           the review of the newest commit",
    "  roborev agent-hook install  findings come back into your coding agents",
  ].join("\n");
}

function outcomeLines(report: InitReport, unchanged: boolean): string[] {
  const { registered, reviewer, missing, advice } = report;
  const repo = singleLine(report.repo);
  if (missing.length > 0)
    return [`Not complete: commits in ${repo} are not reviewed yet.`, ...missing.flatMap(noteLines)];
  const done = `${unchanged ? "Nothing to change" : "Ready"}: commits in ${repo} are reviewed.`;
  return [
    !reviewer
      ? "Set up, but commits wait, for a day at most, until a reviewer is there."
      : !registered
        ? "Set up: the next commit starts the daemon."
        : done,
    ...(advice.length === 0 ? [] : ["", "Worth knowing:", ...advice.flatMap(noteLines)]),
  ];
}

/** Warnings of `init`: hooks, a reviewer that was asked for but not taken or cannot run, a daemon that did not answer. */
export function initNotes(report: InitReport, agent: string | undefined): string[] {
  const { config, problem, reviewer_problem } = report;
  const other =
    agent !== undefined && config.agent !== agent
      ? [
          `Warning: ${singleLine(config.path)} already chooses the reviewer ${config.agent}, for every repository. Change default_agent there to use ${agent}.`,
        ]
      : [];
  const problems = [reviewer_problem, problem].filter((text) => text !== undefined);
  return [...hookNotes(report.hooks), ...other, ...problems.map((text) => `Warning: ${text}`)];
}
