import { RoborevError } from "../../lib/errors.ts";
import { quotedLine } from "../../lib/text.ts";

/** The path as it is, if a service's file can hold it: control characters have no place in one. */
export function writablePath(
  path: string,
  forbidden = /[\p{Cc}\p{Cs}]/u,
  what = "control characters",
): string {
  if (!forbidden.test(path)) return path;
  throw new RoborevError(`a service cannot be given a path with ${what}: ${quotedLine(path)}`, {
    code: "E_SERVICE",
    hint: "Rename it, or name another program with --binary PATH.",
  });
}
