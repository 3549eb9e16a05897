import type { Action, CommandEnd, Game } from "./actions.ts";
import { Conversation, kinds } from "./conversation.ts";
import { type Command, Hooks } from "./hooks.ts";
import type { Step } from "./repository.ts";
import { verbOf } from "./verb.ts";

interface Running extends Command {
  worktree: string;
  steps: Step[];
}

/** Plays a game: what users, agents and reviewers do. */
export class Player {
  readonly hooks: Hooks;
  readonly conversations: Conversation[];
  private readonly running = new Map<number, Running>();
  private calls = 0;

  constructor({ sessions, thresholds }: Pick<Game, "sessions" | "thresholds">) {
    this.hooks = new Hooks(thresholds);
    // Sessions of different harnesses may have the same id.
    this.conversations = sessions.map((kind, s) => {
      const before = sessions.slice(0, s).filter((other) => other === kind);
      return new Conversation(kinds[kind]!, `s${before.length + 1}`);
    });
  }

  play(action: Action): void {
    const { world, state, judge } = this.hooks;
    world.nowMs += 1000;
    switch (action.do) {
      case "run":
        this.begin(action);
        this.end(action.s, action.how);
        break;
      case "begin":
        this.begin(action);
        break;
      case "work":
        this.work(action.s, action.steps);
        break;
      case "end":
        this.end(action.s, action.how);
        break;
      case "stop":
        this.stop(action);
        break;
      case "prompt":
        this.prompt(action);
        break;
      case "turns":
        for (let turn = 0; turn < action.count; turn++) {
          this.prompt({ ...action, wakeUp: false });
          this.stop({ ...action, phase: "check", others: false });
          this.stop({ ...action, phase: "whole", others: false });
        }
        break;
      case "away":
        this.hooks.send(this.session(action.s), undefined, this.session(action.s).tool("PostToolUse"));
        break;
      case "user":
        this.perform(this.worktree(action.w), action.steps);
        break;
      case "fail":
        world.fail(this.worktree(action.w), action);
        break;
      case "close":
      case "reopen": {
        const { nth, count } = action;
        for (const review of world.reviews.slice(-1 - nth - count, -1 - nth || undefined))
          review.open = action.do === "reopen";
        break;
      }
      case "snooze":
        world.snooze(this.worktree(action.w), action.hours * 3_600_000);
        break;
      case "wait":
        world.nowMs += action.seconds * 1000;
        break;
      case "fix-done":
        this.fixDone(this.worktree(action.w));
        break;
      case "reset":
        state.reset(this.session(action.s));
        judge.forget(this.session(action.s));
        break;
      case "track":
        world.track(this.worktree(action.w), action.is);
        break;
      case "configure":
        this.hooks.thresholds = action.thresholds;
        break;
    }
  }

  private worktree = (w: number): string => this.hooks.world.worktrees[w] as string;
  private session = (s: number): Conversation => this.conversations[s] as Conversation;

  private begin(action: Extract<Action, { do: "begin" | "run" }>): void {
    const { s, steps, named, unseen, sub } = action;
    if (this.running.get(s)) this.end(s, "lost");
    const worktree = this.worktree(action.w);
    const verb = verbOf(steps);
    const id = named ? { id: `call${++this.calls}` } : {};
    const command = { worktree, steps: [...steps], verb, isOfSubagent: sub, isBackground: false, ...id };
    this.running.set(s, command);
    if (verb === undefined || unseen) return;
    this.hooks.send(this.session(s), worktree, this.session(s).tool("PreToolUse"), command);
  }

  private work(s: number, count: number): void {
    const command = this.running.get(s);
    if (command) this.perform(command.worktree, command.steps.splice(0, count));
  }

  private end(s: number, how: CommandEnd): void {
    const command = this.running.get(s);
    if (!command) return;
    if (how !== "background") {
      this.running.delete(s);
      this.perform(command.worktree, command.steps);
    }
    if (how === "lost" || command.isBackground) return;
    command.isBackground = how === "background";
    const fields = this.session(s).tool(how === "failed" ? "PostToolUseFailure" : "PostToolUse");
    this.hooks.send(this.session(s), command.worktree, fields, command);
  }

  private prompt({ s, w, wakeUp }: { s: number; w: number; wakeUp: boolean }): void {
    const fields = this.session(s).prompt(wakeUp);
    if (fields) this.hooks.send(this.session(s), this.worktree(w), fields);
    // Where nothing is tracked no event leaves a trace.
    if (this.hooks.world.place(this.worktree(w))?.tracked !== true) this.session(s).isWakeUp = false;
  }

  private stop({ s, w, phase, others }: Omit<Extract<Action, { do: "stop" }>, "do">): void {
    const fields = this.session(s).stop(phase);
    const { trigger, deliveries } = this.hooks.send(this.session(s), this.worktree(w), fields);
    const blocked = trigger && Object.keys(deliveries ?? {}).at(-1);
    this.session(s).stopped(fields, { blocked, others }, this.hooks.world.nowMs);
  }

  private fixDone(worktree: string): void {
    const { judge, state } = this.hooks;
    const owner = judge.owners.of(worktree);
    if (owner === undefined) return;
    state.fixDone(owner.fixSessionId);
    judge.owners.release(worktree);
  }

  private perform(worktree: string, steps: readonly Step[]): void {
    const { world } = this.hooks;
    if (world.place(worktree) === undefined) return;
    for (const step of steps) {
      world.nowMs += 1000;
      world.repository(worktree).perform(worktree, step, world.nowMs);
    }
  }
}
