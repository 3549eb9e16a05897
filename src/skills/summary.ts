import type { ProgramStatus, SkillState } from "./status.ts";

/** How urgent a state is: a program is known by its most urgent one. */
export const stateOrder: readonly SkillState[] = [
  "refused",
  "outdated",
  "missing",
  "edited",
  "installed",
  "no_agent",
];

/** The most urgent state among the skills of a program. */
export const worstState = ({ skills }: ProgramStatus): SkillState =>
  stateOrder.find((state) => skills.some((skill) => skill.state === state)) ?? "no_agent";
