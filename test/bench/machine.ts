import { cpus, release, totalmem, type } from "node:os";
import { priority } from "./priority.ts";

/** What the figures were taken on. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  system: string;
  bun: string;
  git: string;
  /** Of the measuring process and all that it starts. */
  priority: string;
}

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()} ${process.arch}`,
    bun: Bun.version,
    git: Bun.spawnSync(["git", "--version"]).stdout.toString().trim().replace("git version ", ""),
    priority: priority(),
  };
}
