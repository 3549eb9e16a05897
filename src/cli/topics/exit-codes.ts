import { ExitCode } from "../../lib/errors.ts";
import { entries, paragraphs, section } from "../help.ts";
import type { Group } from "../node.ts";
import { everyCommand } from "../tree.ts";

/** Complete by its type: a status without a meaning does not compile. */
const meanings: Record<keyof typeof ExitCode, string> = {
  done: "done; a commit that is not to be reviewed is no failure",
  failed: "failed, or a review found something and the command reports on it",
  rejected: "rejected from the arguments alone: nothing was done",
  interrupted: "interrupted from the keyboard",
};

/** What a status means in general, and the commands with one of their own. */
export async function exitCodesTopic(root: Group): Promise<string> {
  const general = Object.entries(ExitCode).map(([name, code]): [string, string] => [
    String(code),
    meanings[name as keyof typeof ExitCode],
  ]);
  const own: string[] = [];
  for (const { path, leaf } of everyCommand(root)) {
    const { exitCodes, silent } = await leaf.load();
    if (silent) own.push(`  ${path}`, ...entries([["  0", "always: git goes on, whatever happens"]]));
    const codes = Object.entries(exitCodes ?? {});
    if (codes.length > 0) own.push(`  ${path}`, ...entries(codes.map(([code, text]) => [`  ${code}`, text])));
  }
  return [
    "Exit codes",
    ...section("In general", entries(general)),
    ...section(
      "Errors",
      paragraphs(`An error is one line on standard error that begins with Error:. With --json there is also a document on
        standard output, {"error": {"code", "message", "hint"}}, and the status is the same.`),
    ),
    ...section("Of single commands", own),
  ].join("\n");
}
