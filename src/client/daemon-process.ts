import { readFile } from "node:fs/promises";
import { runProcess } from "../lib/process.ts";

/** Whether a process, now, is a `… daemon run`: a recorded pid may long belong to somebody else. */
export async function isDaemonProcess(pid: number): Promise<boolean> {
  const words = await commandLine(pid);
  return words.at(-2) === "daemon" && words.at(-1) === "run";
}

async function commandLine(pid: number): Promise<string[]> {
  if (process.platform === "linux") {
    const text = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""); // gone
    return text.split("\0").filter(Boolean);
  }
  const ps = await runProcess(["ps", "-o", "command=", "-p", String(pid)], { timeoutMs: 2000 });
  return new TextDecoder().decode(ps.stdout).trim().split(/\s+/);
}
