import type { Decision } from "../../../src/reminder/decision.ts";
import type { ReminderInput, Thresholds } from "../../../src/reminder/input.ts";
import { checkChange, checkRecords, checkReminder, must } from "./checks.ts";
import type { Conversation, EventFields } from "./conversation.ts";
import { Judge } from "./judge.ts";
import { PolicyState } from "./state.ts";
import { World } from "./world.ts";

/** An event, but for the answers to what the policy asks. */
export type Input = Omit<ReminderInput, "ask">;

/** The shell command of an event. */
export interface Command {
  verb: string | undefined;
  id?: string;
  isBackground: boolean;
  isOfSubagent: boolean;
}

/** Brings events before the policy and the model, and holds what both say of them against each other. */
export class Hooks {
  readonly world = new World();
  readonly judge = new Judge(this.world);
  readonly state = new PolicyState();
  private ids = 0;

  constructor(public thresholds: Thresholds) {}

  input(
    { kind: { harness }, sessionId }: Conversation,
    worktree: string | undefined,
    fields: EventFields,
    command?: Command,
  ): Input {
    const id = command?.id === undefined ? {} : { toolUseId: command.id };
    const commit =
      command?.verb === undefined
        ? {}
        : { commit: { verb: command.verb, background: command.isBackground, ...id } };
    return {
      agent: harness.name,
      sessionId,
      place: worktree === undefined ? undefined : this.world.place(worktree),
      isElsewhere: false,
      thresholds: this.thresholds,
      instruction: "",
      optedOut: harness.optIn !== undefined,
      turns: harness.turns,
      fromSubagent: command?.isOfSubagent ?? false,
      now: this.world.now,
      newId: `id${++this.ids}`,
      ...fields,
      ...commit,
      ...(worktree === undefined ? {} : { cwd: worktree }),
    };
  }

  send(
    conversation: Conversation,
    worktree: string | undefined,
    fields: EventFields,
    command?: Command,
  ): Decision {
    const { world, judge, state } = this;
    world.nowMs += 1000;
    const input = this.input(conversation, worktree, fields, command);
    const before = state.sessions.get(conversation.key);
    const isSilent = fields.event === "Stop" && conversation.isSilent(fields, world.nowMs);
    const sent = { input, conversation, isSilent };
    judge.before(sent);
    const decision = state.decide(input, world);
    checkReminder(decision, input, world);
    checkRecords(decision, sent, state.deliveries);
    checkChange(before, decision.session);
    state.apply(input, decision);
    judge.after(sent, decision, state);
    if (decision.trigger === undefined && isRepeatable(input)) {
      const { session, fixSessions, deliveries } = state.decide(input, world);
      must(
        session === undefined && fixSessions === undefined && deliveries === undefined,
        "(9) the same event again changes nothing",
        session,
        fixSessions,
        deliveries,
      );
    }
    return decision;
  }
}

/** It neither counts a turn nor begins or ends a command. */
const isRepeatable = ({ event, commit }: Input): boolean =>
  event !== "Stop" && event !== "PreToolUse" && commit === undefined;
