import { JournalFile } from "../../../src/store/hook-state/journal-file.ts";

// Run where files cannot grow beyond 8 KiB: the second line fits in half, the third one whole.
const [path = "", isDiskBusy] = process.argv.slice(2);
const journal = new JournalFile(path);
await journal.restart("head\n");
const outcomes: string[] = [];
for (const line of [`${"a".repeat(3000)}\n`, `${"b".repeat(9000)}\n`, "two\n"])
  outcomes.push(
    await journal.append(line, isDiskBusy === "busy").then(
      () => "written",
      (error) => error.message,
    ),
  );
await journal.close();
console.log(JSON.stringify(outcomes));
