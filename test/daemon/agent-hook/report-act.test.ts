import { describe, expect, test } from "bun:test";
import { reportAct } from "../../../src/daemon/agent-hook/report-act.ts";
import type { Act, HookService } from "../../../src/daemon/agent-hook/service.ts";
import { ErrorRing } from "../../../src/daemon/error-ring.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { RoborevError } from "../../../src/lib/errors.ts";

/** What the hook's side was told, and what was noted as an error. */
function reporting(acted: (act: Act) => Promise<void> = async () => {}) {
  const acts: Act[] = [];
  const errors = new ErrorRing(systemClock);
  const hooks = () => ({ acted: (act: Act) => acts.push(act) && acted(act) }) as unknown as HookService;
  return { acts, errors, hooks };
}

const act = { by: "show", worktree: "/r", reviewIds: [1] } as const;

describe("somebody works on a review", () => {
  test("which is told to the reminders, with the working tree it is done from", async () => {
    const to = reporting();
    await reportAct(to, act);
    expect(to.acts).toEqual([act]);
  });

  test("which tells nothing when nobody said from where", async () => {
    const to = reporting();
    await reportAct(to, { ...act, worktree: undefined });
    expect(to.acts).toEqual([]);
  });

  test("and is not disturbed by reminders that fail, which is noted", async () => {
    const to = reporting(() => Promise.reject(new Error("ENOSPC")));
    await reportAct(to, act);
    expect(to.errors.recent()).toMatchObject([{ component: "agent_hook", message: "ENOSPC" }]);
  });

  test("nor by reminders that are unavailable, which stands in the daemon's health already", async () => {
    const { errors } = reporting();
    const hooks = (): HookService => {
      throw new RoborevError("Agent Hook state is unavailable: …", { code: "E_HOOK_STATE" });
    };
    await reportAct({ hooks, errors }, act);
    expect(errors.recent()).toEqual([]);
  });
});
