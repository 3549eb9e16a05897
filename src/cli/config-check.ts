import { maxConfigBytes } from "../config/parse.ts";
import { validateConfig } from "../config/validate.ts";
import { readBoundedFile } from "../fs/bounded-file.ts";
import { errorCode, failureReason } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";
import { singleLine } from "../lib/text.ts";
import type { Context } from "./command.ts";
import { type FileScope, schemaScope, scopedFile } from "./config-scope.ts";

/** What is wrong with one configuration file, in the shape that \`config validate --json\` prints. */
export interface FileResult {
  scope: FileScope;
  file: string;
  exists: boolean;
  problems: string[];
  notes: string[];
}

/** Everything that is wrong with the file of a scope; nothing is, where there is none. */
export async function validateFile(context: Context, scope: FileScope): Promise<FileResult> {
  const path = await scopedFile(context, scope, context.paths().config);
  const file = singleLine(path);
  const read = await readText(path);
  if (read === undefined) return { scope, file, exists: false, problems: [], notes: [] };
  if ("problem" in read)
    return { scope, file, exists: true, problems: [`${file}: ${read.problem}`], notes: [] };
  const { reviewerNames } = await import("../review/agents/registry.ts");
  const { findExecutable } = await import("../review/agents/executable.ts");
  const { problems, notes } = validateConfig({ text: read.text, where: file }, schemaScope(scope), {
    reviewers: reviewerNames(),
    hasProgram: (word) => findExecutable(word, context.env) !== undefined,
  });
  const clean = (lines: string[]) => lines.map((line) => singleLine(redactSecrets(line)));
  return { scope, file, exists: true, problems: clean(problems), notes: clean(notes) };
}

async function readText(path: string): Promise<{ text: string } | { problem: string } | undefined> {
  try {
    return {
      text: new TextDecoder("utf-8", { fatal: true }).decode(await readBoundedFile(path, maxConfigBytes)),
    };
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    return {
      problem: cause instanceof TypeError ? "it is not UTF-8 text" : failureReason(cause).replace(path, "it"),
    };
  }
}
