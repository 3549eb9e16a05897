// What `agent-hook doctor` has to know of each harness. Apart from the codecs, because a hook call has no use for it.

/** A setting of a harness that keeps our hooks from running, although they are registered. */
export interface OffSwitch {
  /** File below the configuration directory; default: the hook file itself. */
  file?: string;
  /** Dotted path of the setting; default: any line of the file. */
  key?: string;
  /** Switches off: this value, or a list or a line that contains this text. */
  value: boolean | string;
}

/** How a harness tells whether the user has approved a hook. */
export type Approval =
  /** `app-server`, request `hooks/list`: each hook with its `trustStatus`. */
  | { kind: "hooks-list"; args: readonly string[] }
  /** A JSON file with `approvals[] {event, command}`; `bypass`: what approves everything. */
  | { kind: "allow-list"; file: string; bypass: { setting: string; variable: string } };

export interface HarnessHealth {
  offSwitches: readonly OffSwitch[];
  /** Harnesses whose user-wide hook file this one runs as well, with payloads of its own that they answer empty (D26). */
  alsoLoads?: readonly string[];
  approval?: Approval;
}

/** By the name of the harness. */
export const harnessHealth: Record<string, HarnessHealth> = {
  // https://docs.anthropic.com/en/docs/claude-code/settings
  claude: { offSwitches: [{ key: "disableAllHooks", value: true }] },
  // https://developers.openai.com/codex/hooks; the list of hooks measured on 0.171.0.
  codex: {
    offSwitches: [{ file: "config.toml", key: "features.hooks", value: false }],
    approval: { kind: "hooks-list", args: ["app-server"] },
  },
  // Measured on 1.0.102: it switches off its own file only.
  copilot: { offSwitches: [{ key: "disableAllHooks", value: true }] },
  // https://cursor.com/docs/reference/third-party-hooks
  cursor: { offSwitches: [], alsoLoads: ["claude"] },
  // Measured on 0.186.0.
  droid: { offSwitches: [{ key: "hooksDisabled", value: true }] },
  // https://geminicli.com/docs/hooks/reference; the list holds names of handlers, and ours is called roborev.
  gemini: {
    offSwitches: [
      { key: "hooksConfig.enabled", value: false },
      { key: "hooksConfig.disabled", value: "roborev" },
    ],
  },
  // agent/shell_hooks.py of 0.20.0: an approval is for exactly this event and this command.
  hermes: {
    offSwitches: [],
    approval: {
      kind: "allow-list",
      file: "shell-hooks-allowlist.json",
      bypass: { setting: "hooks_auto_accept", variable: "HERMES_ACCEPT_HOOKS" },
    },
  },
  // https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
  qwen: { offSwitches: [{ key: "disableAllHooks", value: true }] },
  // https://docs.x.ai/build/features/hooks; a hook is disabled by its position, `global/roborev:stop[0].hooks[0]`.
  // Cursor's file it cannot read: entries without groups void the file there (1.0.5 and 1.0.41).
  grok: { offSwitches: [{ file: "disabled-hooks", value: "global/roborev:" }], alsoLoads: ["claude"] },
};
