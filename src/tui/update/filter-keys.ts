import type { KeyPress, Next } from "../message.ts";
import type { Filter, Model } from "../model.ts";
import { type Choice, choicesOf, type FilterScreen } from "../view/filter.ts";
import { reloadFiltered } from "./list.ts";
import { back, onTop } from "./screens.ts";

/** Letters go to the search, `j`, `k` and `q` as well. */
export function onFilterKey(model: Model, screen: FilterScreen, { name, text, ctrl }: KeyPress): Next {
  const choices = choicesOf(screen);
  const current = choices[screen.cursor];
  const search = (query: string): Next => [onTop(model, { query, cursor: 0 }), []];
  const moveTo = (cursor: number): Next => [
    onTop(model, { cursor: Math.max(0, Math.min(cursor, choices.length - 1)) }),
    [],
  ];
  switch (name) {
    case "escape":
      return screen.query === "" ? [back(model), []] : search("");
    case "up":
      return moveTo(screen.cursor - 1);
    case "down":
    case "tab":
      return moveTo(screen.cursor + 1);
    case "pageUp":
    case "home":
      return moveTo(name === "home" ? 0 : screen.cursor - 10);
    case "pageDown":
    case "end":
      return moveTo(name === "end" ? choices.length - 1 : screen.cursor + 10);
    case "backspace":
      return search([...screen.query].slice(0, -1).join(""));
    case "right":
      return expand(model, screen, current, true);
    case "left":
      return expand(model, screen, current, false);
    case "enter":
      return current === undefined ? [model, []] : choose(model, current);
    default:
      return ctrl || text === "" ? [model, []] : search(screen.query + text);
  }
}

function expand(model: Model, screen: FilterScreen, choice: Choice | undefined, isExpanded: boolean): Next {
  if (choice === undefined || choice.kind === "all") return [model, []];
  const { path } = choice.repo;
  const repos = (screen.repos ?? []).map((repo) => (repo.path === path ? { ...repo, isExpanded } : repo));
  const cursor = isExpanded
    ? screen.cursor
    : choicesOf({ ...screen, repos }).findIndex((one) => one.kind === "repo" && one.repo.path === path);
  const next = onTop(model, { repos, cursor: Math.max(0, cursor) });
  return [
    next,
    isExpanded && choice.repo.branches === undefined ? [{ kind: "load-branches", repo: path }] : [],
  ];
}

/** What was chosen takes the place of the filters of its kind, and comes last among them. */
function choose(model: Model, choice: Choice): Next {
  const keeps = ({ kind }: Filter) => kind === "closed" || model.locked.has(kind);
  const kept = model.filters.filter(keeps);
  const chosen: Filter[] = [];
  if (choice.kind !== "all" && !model.locked.has("repo"))
    chosen.push({ kind: "repo", path: choice.repo.path, name: choice.repo.name });
  if (choice.kind === "branch" && !model.locked.has("branch"))
    chosen.push({ kind: "branch", name: choice.name });
  return reloadFiltered({ ...back(model), filters: [...kept, ...chosen] });
}
