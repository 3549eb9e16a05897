import { open } from "node:fs/promises";
import { singleLine, truncateUtf8 } from "../lib/text.ts";

const tailBytes = 8192;

/** The last line of a log that says something, cleaned and cut for one line of output; empty if there is none. */
export async function lastLogLine(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const length = Math.min(size, tailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
      const lines = buffer.subarray(0, bytesRead).toString("utf8").split("\n").map(singleLine);
      return truncateUtf8(lines.findLast((line) => line !== "") ?? "", 400);
    } finally {
      await file.close();
    }
  } catch {
    return ""; // the log only illustrates a failure that is reported anyway
  }
}
