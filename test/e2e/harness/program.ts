import type { Harness } from "../../../src/harness/harness.ts";
import { findHarness } from "../../../src/harness/registry.ts";
import type { Release } from "../install/releases.ts";
import { toolCalls } from "../tool-calls.ts";
import type { ToolCalls } from "../turn.ts";

/** Where a program finds its configuration, its model and the repository. */
export interface Place {
  home: string;
  config: string;
  repo: string;
  port: number;
  env: Record<string, string>;
}

/** What differs between the programs when they are driven without a terminal. */
export interface ProgramKind {
  /** Also the value of `--agent`. */
  name: keyof typeof toolCalls;
  env(port: number): Record<string, string>;
  /** Writes what its user would have set. */
  configure(place: Place): void;
  start(prompt: string): string[];
  /** Continues the last session. */
  resume?(prompt: string): string[];
  /** Whether this build runs only hooks that the user trusts. */
  asksTrust?(path: string): boolean;
  /** Gives our hooks the trust that the user would give them. */
  trust?(path: string, place: Place): Promise<void>;
  /** Versions that drop what a hook answers after a tool: there the end of the turn delivers. */
  dropsContext?: readonly string[];
  /** Its shell tool runs `git commit` only as a command of its own, with `-C` and the whole path. */
  commitsAlone?: true;
  /** Opens what it asks the model aside, with all its tools on offer. */
  sideMark?: string;
  /** Its model is made to take our texts at their word. */
  readsTexts?: true;
  /** Without a terminal it goes on with no session that is named: whoever asks it again begins a new one. */
  forgets?: true;
  /** Its name as a reviewer, where it is driven as one here. */
  reviewer?: string;
}

/** An installed program. */
export interface Program extends Omit<ProgramKind, "asksTrust" | "trust" | "dropsContext"> {
  harness: Harness;
  calls: ToolCalls;
  path: string;
  version: string;
  asksTrust: boolean;
  trust(place: Place): Promise<void>;
  /** A reminder may reach its model right after a tool. */
  hearsAfterTool: boolean;
}

export function installedProgram(kind: ProgramKind, { version }: Release, path: string): Program {
  const harness = findHarness(kind.name);
  if (harness === undefined) throw new Error(`${kind.name} is no harness`);
  const { trust } = kind;
  return {
    ...kind,
    harness,
    calls: toolCalls[kind.name],
    path,
    version,
    asksTrust: kind.asksTrust?.(path) ?? false,
    trust: async (place) => trust?.(path, place),
    hearsAfterTool: kind.dropsContext?.includes(version) !== true,
  };
}
