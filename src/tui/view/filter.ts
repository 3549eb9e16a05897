import { singleLine } from "../../lib/text.ts";
import { pageRows } from "../layout.ts";
import type { Model, RepoChoice, Screen } from "../model.ts";
import { cell, type Paint } from "./paint.ts";

export type FilterScreen = Extract<Screen, { kind: "filter" }>;

/** A line of the tree that can be chosen. */
export type Choice =
  | { kind: "all" }
  | { kind: "repo"; repo: RepoChoice }
  | { kind: "branch"; repo: RepoChoice; name: string; count: number };

const matches = (text: string, query: string) => text.toLowerCase().includes(query.toLowerCase());

/** What the search leaves of the tree. A repository stays for one of its branches as well. */
export function choicesOf({ repos = [], query, only }: FilterScreen): Choice[] {
  const shown = only === undefined ? repos : repos.filter(({ path }) => path === only);
  const found = shown.flatMap((repo): Choice[] => {
    const isMatch = matches(repo.name, query) || matches(repo.path, query);
    const branches = (repo.branches ?? []).filter(({ name }) => isMatch || matches(name || "(none)", query));
    if (query !== "" && !isMatch && branches.length === 0) return [];
    const isOpen = repo.isExpanded || only !== undefined || (query !== "" && !isMatch);
    return [
      { kind: "repo", repo },
      ...(isOpen ? branches.map(({ name, count }): Choice => ({ kind: "branch", repo, name, count })) : []),
    ];
  });
  return query === "" ? [{ kind: "all" }, ...found] : found;
}

export function filterLines(model: Model, screen: FilterScreen, paint: Paint): string[] {
  const rows = pageRows(model) - 1;
  const choices = choicesOf(screen);
  const first = Math.max(0, Math.min(screen.cursor - Math.floor(rows / 2), choices.length - rows));
  const lines = choices.slice(first, first + rows).map((choice, index) => {
    const indent = choice.kind === "branch" ? "      " : "  ";
    const text = indent + cell(choiceText(choice), model.size.columns - indent.length);
    return first + index === screen.cursor ? paint("inverse", text) : text;
  });
  if (screen.repos === undefined) lines.push("Loading …");
  else if (choices.length === 0) lines.push(`Nothing is called ${singleLine(screen.query)}.`);
  return [`Search: ${singleLine(screen.query)}▏`, ...lines];
}

function choiceText(choice: Choice): string {
  if (choice.kind === "all") return "All repositories";
  if (choice.kind === "branch") return `${choice.name || "(none)"}  (${choice.count})`;
  return `${choice.repo.isExpanded ? "▾" : "▸"} ${choice.repo.name}  (${choice.repo.count})`;
}
