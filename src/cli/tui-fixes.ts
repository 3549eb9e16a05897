import { open } from "node:fs/promises";
import { join } from "node:path";
import type { DaemonClient } from "../client/daemon.ts";
import { errorCode, errorMessage, RoborevError } from "../lib/errors.ts";
import type { FixProgress } from "../review/fix/services.ts";
import type { TuiFixes } from "../tui/fixes.ts";
import { applyPatch } from "./background-fix.ts";
import type { Context } from "./command.ts";

/** Background fixes as the terminal UI needs them: what the commands print is one line there. */
export function tuiFixes(context: Context, client: DaemonClient): TuiFixes {
  return {
    async queue(parentId, wish) {
      const { askForFix } = await import("../review/background-fix/ask.ts");
      const parent = (await client.jobs({ id: parentId })).jobs[0];
      if (parent === undefined) throw new RoborevError(`job ${parentId} is gone`, { code: "E_NO_JOB" });
      return await askForFix(client, parent, wish === "" ? {} : { prompt: wish });
    },
    async apply(id) {
      const warnings: string[] = [];
      try {
        const { outcome, commit, review } = await applyPatch(context, { id, progress: silent(warnings) });
        if (outcome === "there") return `What job ${id} changes is done already`;
        const about = review === undefined ? "" : `. Job ${review.job_id}: ${review.message}`;
        return [`Applied job ${id} in ${commit?.slice(0, 7)}${about}`, ...warnings].join(". ");
      } catch (error) {
        if (errorCode(error) !== "E_CONFLICT") throw error;
        throw new RoborevError(`${errorMessage(error)}. R has it made anew`, { code: "E_CONFLICT" });
      }
    },
    async rebase(id) {
      const { askForRebase } = await import("../review/background-fix/ask.ts");
      return await askForRebase(client, id);
    },
    async save(id, patch) {
      const path = join(context.cwd(), `roborev-fix-${id}.patch`);
      const file = await open(path, "wx").catch((cause) => {
        if (errorCode(cause) !== "EEXIST") throw cause;
        throw new RoborevError(`${path} is there already`, { code: "E_EXISTS", cause });
      });
      try {
        await file.writeFile(patch);
      } finally {
        await file.close();
      }
      return path;
    },
  };
}

/** Nothing may be printed over the screen. */
function silent(warnings: string[]): FixProgress {
  const nothing = () => {};
  return {
    ...{ say: nothing, review: nothing, output: nothing, result: nothing },
    agent: () => ({ [Symbol.dispose]: nothing }),
    warn: (line) => void warnings.push(line),
  };
}
