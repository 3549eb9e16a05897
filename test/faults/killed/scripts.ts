import { expect } from "bun:test";
import type { Connection } from "../../support/connection.ts";
import type { Actor } from "./actor.ts";

// What sessions do, again and again, until their daemon is killed: then whatever waits for it is rejected.

/** Turns; each reminder takes the fix session of the working tree, which is given back now and then. */
export async function takeTurns(actor: Actor): Promise<never> {
  for (;;) {
    const turn = { hook_event_name: "Stop", ends_turn: true, channel: "block" as const, turn_id: newTurn() };
    const told = await actor.event(turn, { turns: 2 });
    if (told.triggered) {
      const again = await actor.event({ ...turn, stop_hook_active: true }, { turns: 2 });
      expect(again.triggered).toBe(false);
      if (chance(0.3)) await actor.giveBack(told);
    } else if (told.failed_review_count === undefined) await actor.reset();
  }
}

/** Commits, each announced and reported; the count is exact whatever was lost in between. */
export function committer(actor: Actor) {
  const tally = { made: 0 };
  const commits = () => actor.session?.commit_count ?? 0;
  async function run(): Promise<never> {
    for (;;) {
      const call = {
        tool_name: "Bash",
        tool_use_id: newTurn(),
        commit: { verb: "commit", directories: [] },
      };
      await actor.event({ hook_event_name: "PreToolUse", ...call }, {});
      expect(commits()).toBe(tally.made);
      tally.made++;
      const commit = Bun.spawn(["git", "commit", "-q", "--allow-empty", "-m", "work"], { cwd: actor.cwd });
      expect(await commit.exited).toBe(0);
      await actor.event({ hook_event_name: "PostToolUse", ...call }, {});
      expect(commits()).toBe(tally.made);
    }
  }
  return { actor, run, tally };
}

/** Reminders that wait in the queue after a command and come with the next prompt, as in Hermes. */
export async function queueUp(actor: Actor): Promise<never> {
  for (;;) {
    await actor.event({ hook_event_name: "PostToolUse", tool_name: "Bash" }, { failed: 1 });
    if (chance(0.5)) {
      await actor.event({ hook_event_name: "Stop", ends_turn: true }, { failed: 1 });
      continue;
    }
    const wasQueued = actor.session?.pending_reminders !== undefined;
    const told = await actor.event(
      { hook_event_name: "UserPromptSubmit", channel: "context" },
      { failed: 1 },
    );
    expect(told.triggered || !wasQueued).toBe(true);
    expect(actor.session?.pending_reminders).toBeUndefined();
    if (told.triggered && chance(0.3)) await actor.giveBack(told);
    if (!told.triggered && told.failed_review_count === undefined) await actor.reset();
  }
}

/** Turns in a place that is snoozed and active in turns: no reminder comes while it is snoozed. */
export function snoozer(actor: Actor, place: { repo_path: string; branch: string }) {
  /** Undefined: a switch was under way. */
  const tally: { isSnoozed: boolean | undefined; switches: number } = { isSnoozed: false, switches: 0 };
  async function run(daemon: Pick<Connection, "send">): Promise<never> {
    for (;;) {
      const enabled = chance(0.5);
      tally.isSnoozed = undefined;
      const { status } = await daemon.send("POST", "/api/agent-hook/snooze", {
        ...place,
        worktree_path: actor.cwd,
        enabled,
        ...(enabled ? { snoozed_until: new Date(Date.now() + 3_600_000).toISOString() } : {}),
      });
      expect(status).toBe(200);
      tally.isSnoozed = enabled;
      tally.switches++;
      for (let n = 0; n < 3; n++) {
        const turn = { hook_event_name: "Stop", ends_turn: true, channel: "block" as const };
        const told = await actor.event({ ...turn, turn_id: newTurn() }, { turns: 1 });
        expect(told.skipped === true).toBe(enabled);
        if (enabled) expect(told.triggered).toBe(false);
        else if (!told.triggered && told.failed_review_count === undefined) await actor.reset();
      }
    }
  }
  return { actor, run, tally };
}

const chance = (share: number): boolean => Math.random() < share;

let turns = 0;
const newTurn = (): string => `t${turns++}`;
