import type { Message } from "../message.ts";
import { type Detail, type Model, type Screen, screenOf } from "../model.ts";

/** What came for a screen; nothing happens where that is not open any more. */
export function changeScreen(model: Model, message: Message): Model {
  switch (message.kind) {
    case "review": {
      const filled = <T extends Detail>({ problem: _, ...shown }: T) => ({
        ...shown,
        ...(message.review ? { review: message.review } : {}),
        ...(message.problem === undefined ? {} : { problem: message.problem }),
      });
      const next = change(model, "review", message.jobId, filled);
      return next.detail?.jobId === message.jobId ? { ...next, detail: filled(next.detail) } : next;
    }
    case "prompt":
      return change(model, "prompt", message.jobId, (screen) => ({
        ...screen,
        ...(message.job ? { job: message.job } : {}),
        ...(message.problem === undefined ? {} : { problem: message.problem }),
      }));
    case "log":
      return change(model, "log", message.jobId, ({ problem: _, ...screen }) => ({
        ...screen,
        text: tail((message.isAnew ? "" : screen.text) + message.text),
      }));
    case "log-problem":
      return change(model, "log", message.jobId, (screen) => ({ ...screen, problem: message.problem }));
    case "commit":
      return change(model, "commit", message.jobId, (screen) => ({ ...screen, text: message.text }));
    case "patch":
      return change(model, "patch", message.jobId, ({ problem: _, ...screen }) => ({
        ...screen,
        ...(message.text === undefined ? {} : { text: message.text }),
        ...(message.problem === undefined ? {} : { problem: message.problem }),
      }));
    case "repos":
      return withFilterScreen(model, (screen) => ({ ...screen, repos: message.repos }));
    case "branches":
      return withFilterScreen(model, ({ repos = [], ...screen }) => ({
        ...screen,
        repos: repos.map((repo) =>
          repo.path === message.repo ? { ...repo, branches: message.branches } : repo,
        ),
      }));
    default:
      return model;
  }
}

const maxLogCharacters = 400_000;

/** The end of a long log, from the beginning of a line. */
function tail(text: string): string {
  if (text.length <= maxLogCharacters) return text;
  const cut = text.slice(-maxLogCharacters);
  return cut.slice(cut.indexOf("\n") + 1);
}

type WithJob = Exclude<Screen, { kind: "filter" | "columns" | "help" | "tasks" }>;

function change<K extends WithJob["kind"]>(
  model: Model,
  kind: K,
  jobId: number,
  next: (screen: Extract<WithJob, { kind: K }>) => Screen,
): Model {
  const isMeant = (screen: Screen): screen is Extract<WithJob, { kind: K }> =>
    screen.kind === kind && (screen as WithJob).jobId === jobId;
  return { ...model, screens: model.screens.map((screen) => (isMeant(screen) ? next(screen) : screen)) };
}

function withFilterScreen(
  model: Model,
  next: (screen: Extract<Screen, { kind: "filter" }>) => Screen,
): Model {
  return {
    ...model,
    screens: model.screens.map((screen) => (screen.kind === "filter" ? next(screen) : screen)),
  };
}

/** What was told before is not about the new screen. */
export function open({ flash: _, ...model }: Model, screen: Screen): Model {
  return { ...model, screens: [...model.screens, screen] };
}

export const back = (model: Model): Model => ({ ...model, screens: model.screens.slice(0, -1) });

/** Another state of the screen on top. */
export function onTop(model: Model, change: Partial<Screen>): Model {
  const top = screenOf(model);
  if (top === undefined) return model;
  return { ...model, screens: [...model.screens.slice(0, -1), { ...top, ...change } as Screen] };
}
