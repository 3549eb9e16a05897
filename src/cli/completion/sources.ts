import type { ArgDef } from "citty";
import { configKeys } from "../../config/keys.ts";
import { reasoningLevels } from "../../config/reasoning.ts";
import { harnesses } from "../../harness/registry.ts";

/** Values that only this moment knows; `roborev completion-values` prints them. */
export const liveKinds = ["branch", "job", "ref", "repo", "review", "session"] as const;
export type LiveKind = (typeof liveKinds)[number];

/** Shells that can be completed in. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Where the values of a flag or an argument come from. */
export type Source =
  | { from: "words"; words: readonly string[] }
  | { from: "live"; kind: LiveKind }
  | { from: "files" }
  | { from: "directories" }
  /** Free text, numbers, times: nothing to offer. */
  | { from: "nowhere" };

const words = (list: readonly string[]): Source => ({ from: "words", words: list });
const live = (kind: LiveKind): Source => ({ from: "live", kind });
const nowhere: Source = { from: "nowhere" };

/** Hints that say everything, whatever the name. */
const byHint: Record<string, Source> = {
  ref: live("ref"),
  path: { from: "files" },
  directory: { from: "directories" },
  level: words(reasoningLevels),
  id: live("session"),
  job: live("job"),
  ...Object.fromEntries(
    ["text", "n", "numbers", "time", "seconds", "duration", "address", "command"].map((hint) => [
      hint,
      nowhere,
    ]),
  ),
};

/** What a name means, in every command that has it. */
const byName: Record<string, Source> = {
  action: words(["on", "off"]),
  branch: live("branch"),
  commenter: nowhere,
  commit: live("ref"),
  end: live("ref"),
  from: live("repo"),
  into: live("repo"),
  job: live("job"),
  key: words(configKeys.map(({ name }) => name)),
  model: nowhere,
  name: nowhere,
  path: { from: "directories" },
  repo: live("repo"),
  review: live("review"),
  kind: words(liveKinds),
  session: live("session"),
  shell: words(shells),
  source: nowhere,
  text: nowhere,
  value: nowhere,
};

/** Where the values of an argument come from; undefined: nobody has said it yet, which a test reports. */
export function sourceOf(
  path: string,
  name: string,
  def: ArgDef,
  reviewers: readonly string[],
): Source | undefined {
  if ("options" in def && def.options) return words(def.options);
  if (name === "agent")
    return /^(?:agent-hook|skills)\b/.test(path)
      ? words(["all", ...harnesses.map((harness) => harness.name)])
      : words(reviewers);
  const hint = "valueHint" in def ? def.valueHint : undefined;
  if (hint !== undefined && Object.hasOwn(byHint, hint)) return byHint[hint];
  return Object.hasOwn(byName, name) ? byName[name] : undefined;
}
