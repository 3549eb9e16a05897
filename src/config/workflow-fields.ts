import type { TOptional, TString } from "@sinclair/typebox";
import { type About, agentName } from "./fields.ts";
import { type ReasoningLevel, reasoningLevels } from "./reasoning.ts";

/** Kinds of work that can have a reviewer, a model and a reasoning level of their own. */
export const workflows = ["review", "refine", "fix", "security", "design"] as const;
export type Workflow = (typeof workflows)[number];

type Suffix = "" | `_${ReasoningLevel}`;
export type WorkflowKey<Noun extends string> = `${Workflow}_${Noun}${Suffix}`;
export type BackupKey<Noun extends string> = `${Workflow}_backup_${Noun}`;
type Fields = Record<WorkflowKey<"agent" | "model"> | BackupKey<"agent" | "model">, TOptional<TString>>;

const chosen: Record<string, About> = {
  agent: { description: "reviewer for one kind of work", unset: "the general one" },
  agent_level: {
    description: "reviewer for one kind of work at one reasoning level",
    unset: "that of the kind of work",
  },
  model: { description: "model for one kind of work", unset: "the general one" },
  model_level: {
    description: "model for one kind of work at one reasoning level",
    unset: "that of the kind of work",
  },
  backup_agent: {
    description: "reviewer that takes over for one kind of work",
    unset: "the general one",
  },
  backup_model: { description: "model of that reviewer", unset: "the general one" },
};

/** `<workflow>_agent`, `<workflow>_model`, each also with `_<reasoning level>`, and `<workflow>_backup_agent`, `…_model`. */
export function workflowFields(modelField: (about: About) => TOptional<TString>): Fields {
  const field = (noun: string, name: string, family: string) => {
    const about = { ...(chosen[noun] as About), family };
    return [name, noun.includes("agent") ? agentName(about) : modelField(about)] as const;
  };
  const entries = workflows.flatMap((workflow) => [
    ...["agent", "model"].flatMap((noun) => [
      field(noun, `${workflow}_${noun}`, `<workflow>_${noun}`),
      ...reasoningLevels.map((level) =>
        field(`${noun}_level`, `${workflow}_${noun}_${level}`, `<workflow>_${noun}_<level>`),
      ),
    ]),
    ...["backup_agent", "backup_model"].map((noun) =>
      field(noun, `${workflow}_${noun}`, `<workflow>_${noun}`),
    ),
  ]);
  return Object.fromEntries(entries) as Fields;
}
