import { appendFileSync, writeSync } from "node:fs";
import { main } from "../../../src/cli/main.ts";
import { splitCommand } from "../../../src/lib/shell-words.ts";
import { everyCommand } from "../examples/every-command.ts";

// Runs every command of the tree, one after the other, with the streams, the directory and the environment that this
// process was given: `driver.ts REPORT [command to leave out]…`. What each ended with is a line of the report.

const [report, ...leftOut] = process.argv.slice(2) as [string, ...string[]];

/** Between the commands, for whoever reads what they said. */
function mark(text: string): void {
  try {
    writeSync(2, `\n== ${text}\n`);
  } catch {
    // closed, which is one of the things that are tried
  }
}

for (const { words, command } of await everyCommand()) {
  const name = words.join(" ");
  if (leftOut.includes(name)) continue;
  const split = splitCommand(command.examples[0].split(" < ")[0] as string);
  if ("error" in split) throw new Error(`${name}: ${split.error}`);
  const argv = split.words.slice(1);
  mark(name);
  appendFileSync(report, `${JSON.stringify({ name })}\n`);
  const code = await main(argv);
  process.removeAllListeners("SIGINT");
  const declared = Object.keys(command.exitCodes ?? {}).map(Number);
  appendFileSync(report, `${JSON.stringify({ name, code, declared })}\n`);
}
mark("end");
process.exit(0);
