import { maxConfigBytes } from "../../config/parse.ts";
import { validateConfig } from "../../config/validate.ts";
import { readBoundedFile } from "../../fs/bounded-file.ts";
import { findCheckout } from "../../git/checkout.ts";
import { errorCode, failureReason } from "../../lib/errors.ts";
import { redactSecrets } from "../../lib/redact.ts";
import { plural, singleLine } from "../../lib/text.ts";
import { type Context, define } from "../command.ts";
import {
  type FileScope,
  givenScope,
  schemaScope,
  scopeArgs,
  scopedFile,
  scopePair,
} from "../config-scope.ts";

export const configValidate = define({
  meta: {
    name: "validate",
    description: "Check your configuration and this repository's for everything that is wrong with them.",
  },
  args: scopeArgs,
  exclusive: [scopePair],
  details: `Wrong values, unknown settings, settings in the wrong file, reviewers that do not exist, programs that are not
    there. One line each, with file, line and column. A setting that means nothing to this version is mentioned, and
    is no problem. Starts no daemon.`,
  exitCodes: { 0: "Nothing is wrong", 1: "Something is" },
  examples: ["roborev config validate", "roborev config validate --local --json"],
  async run(context) {
    const { args, flags, out } = context;
    const results: FileResult[] = [];
    for (const scope of await scopesOf(context, givenScope(args)))
      results.push(await validateFile(context, scope));
    const count = results.reduce((sum, { problems }) => sum + problems.length, 0);
    if (flags.json) out.json({ valid: count === 0, files: results });
    else {
      for (const { file, exists, problems, notes } of results) {
        for (const line of problems) out.print(line);
        for (const line of notes) out.note(`Note: ${line}`);
        if (!exists) out.print(`${file}: no such file, defaults hold`);
        else if (problems.length === 0) out.print(`${file}: nothing is wrong`);
      }
      if (count > 0) out.note(`${plural(count, "problem")} found.`);
    }
    return count === 0 ? 0 : 1;
  },
});

interface FileResult {
  scope: FileScope;
  file: string;
  exists: boolean;
  problems: string[];
  notes: string[];
}

async function scopesOf(context: Context, given: FileScope | undefined): Promise<FileScope[]> {
  if (given) return [given];
  return (await findCheckout(context.cwd())) ? ["global", "local"] : ["global"];
}

async function validateFile(context: Context, scope: FileScope): Promise<FileResult> {
  const path = await scopedFile(context, scope, context.paths().config);
  const file = singleLine(path);
  const read = await readText(path);
  if (read === undefined) return { scope, file, exists: false, problems: [], notes: [] };
  if ("problem" in read)
    return { scope, file, exists: true, problems: [`${file}: ${read.problem}`], notes: [] };
  const { reviewerNames } = await import("../../review/agents/registry.ts");
  const { findExecutable } = await import("../../review/agents/executable.ts");
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
