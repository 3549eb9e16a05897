import { type ClaudeDialect, decodeClaudeFamily, encodeClaudeFamily } from "./claude-family.ts";
import type { Harness } from "./harness.ts";

const dialect: ClaudeDialect = {
  shellTools: ["execute"],
  // A command that fails is followed by no event at all.
  contextEvents: ["PostToolUse"],
};

/**
 * Factory Droid (https://docs.factory.ai/cli/configuration/hooks-guide), measured on 0.225.2 and 0.215.0. It never
 * stops a hook that always blocks (more than 200 times in 40 s), so `stop_hook_active` is all that ends a turn.
 * Against its documentation, `decision` on PostToolUse is dropped.
 */
export const droid: Harness = {
  name: "droid",
  displayName: "Factory Droid",
  executable: "droid",
  config: {
    directoryVariable: "FACTORY_HOME_OVERRIDE",
    belowVariable: ".factory",
    directory: ".factory",
    file: "hooks.json",
    format: "nested-json",
    // Under `hooks`, as the documentation shows it, nothing fires (https://github.com/Factory-AI/factory/issues/3).
    bareEventMap: true,
    // The first of these with content wins and the rest is ignored, not merged, so that a new hooks.json beside hooks
    // in settings.json would switch those off. Measured on 0.225.2; the documentation names settings.json alone
    // (https://docs.factory.ai/cli/configuration/hooks-guide).
    alternatives: [{ file: "hooks/hooks.json", bareEventMap: true }, { file: "settings.json" }],
    userScopeOnly: true,
    // It obeys 2 (denies the tool; at Stop goes on without end: 1,026 times in 120 s) and 3 (aborts), whoever exits so: a
    // shim that has lost its program, say. Measured on 0.225.2, as is that the guard ends it.
    guard: "or-empty",
    timeoutUnit: "seconds",
  },
  registrations: [
    { event: "PreToolUse", matcher: "Execute" },
    { event: "PostToolUse", matcher: "Execute" },
    { event: "Stop" },
  ],
  settingsSection: "droid_hook",
  turns: { activeFlag: "silences" },
  // 200,000 bytes arrived whole; more than this nobody reads.
  maxTextBytes: 20_000,
  // An exit of 1 before a tool puts our words in front of its output, 2 denies, 3 aborts the agent.
  malformedExit: 0,
  legacy: "own-agent-flag",
  legacyGroup: "droid-hook",
  trial: { tool_name: "Execute" },
  decode: (payload) => decodeClaudeFamily(dialect, payload),
  encode: ({ event }, decision) => encodeClaudeFamily(dialect, event, decision),
};
