import type { Check } from "../../../src/cli/doctor/finding.ts";

/** What a check found, as `error code: repair`. */
export const found = ({ findings }: Check): string[] =>
  findings.map(
    ({ severity, code, repair }) => `${severity} ${code}${repair === undefined ? "" : `: ${repair}`}`,
  );
