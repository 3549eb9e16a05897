import { loadGlobalConfig } from "../../config/load.ts";
import type { Checkout } from "../../git/checkout.ts";
import { RoborevError } from "../../lib/errors.ts";
import type { Context } from "../command.ts";
import { type FileResult, validateFile } from "../config-check.ts";
import { readRepoConfig } from "../repo-config.ts";
import { type Check, error, note, warning } from "./finding.ts";

/** One configuration file: what is wrong with it, and whether it is refused as a whole. */
export interface CheckedFile extends FileResult {
  refused: boolean;
}

export async function probeConfiguration(
  context: Context,
  checkout: Checkout | undefined,
): Promise<CheckedFile[]> {
  const { config } = context.paths();
  const files = [
    { ...(await validateFile(context, "global")), refused: await isRefused(loadGlobalConfig(config)) },
  ];
  if (checkout !== undefined)
    files.push({
      ...(await validateFile(context, "local")),
      refused: await isRefused(readRepoConfig(checkout)),
    });
  return files;
}

async function isRefused(loading: Promise<unknown>): Promise<boolean> {
  try {
    await loading;
    return false;
  } catch (failure) {
    if (failure instanceof RoborevError) return true;
    throw failure;
  }
}

export function judgeConfiguration(files: readonly CheckedFile[]): Check {
  const there = files.filter(({ exists }) => exists).map(({ file }) => file);
  return {
    name: "config",
    title: "Configuration",
    summary: there.length === 0 ? "none, defaults hold" : there.join(" and "),
    findings: files.flatMap(({ file, refused, problems, notes }) => [
      ...problems.map((problem) =>
        (refused ? error : warning)("config", problem, `Mend ${file} by hand, then: roborev config validate`),
      ),
      ...notes.map((line) => note("config-note", line)),
    ]),
  };
}
