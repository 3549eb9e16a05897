import { flag, list } from "./fields.ts";

/** What `roborev tui` shows at first, in the user's own file. */
export const tuiFields = {
  auto_filter_repo: flag({ description: "the terminal UI starts with this repository's jobs only" }),
  auto_filter_branch: flag({ description: "the terminal UI starts with the current branch's jobs only" }),
  hide_closed_by_default: flag({ description: "the terminal UI starts without closed and failed jobs" }),
  hidden_columns: list({
    description: "columns that the terminal UI leaves out",
    unset: "cost, session_id, requested_model",
  }),
  column_order: list({
    description: "columns of the terminal UI from left to right; those not named come last",
    unset: "as built in",
  }),
  mouse_enabled: flag({ description: "the terminal UI takes clicks and the wheel" }),
};
