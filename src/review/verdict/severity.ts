import type { Severity } from "../../store/schema.ts";

/** Most severe first. */
export const severities: readonly Severity[] = ["critical", "high", "medium", "low"];

/** Whether a finding of this level counts under a floor; without a floor every level does. */
export function reachesFloor(level: Severity, floor: Severity = "low"): boolean {
  return severities.indexOf(level) <= severities.indexOf(floor);
}

export function tryParseSeverity(text: string): Severity | undefined {
  const level = text.trim().toLowerCase();
  return severities.find((severity) => severity === level);
}

export function moreSevere(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) <= severities.indexOf(b) ? a : b;
}
