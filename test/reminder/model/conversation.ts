import { claude } from "../../../src/harness/claude.ts";
import { cursor } from "../../../src/harness/cursor.ts";
import { droid } from "../../../src/harness/droid.ts";
import { gemini } from "../../../src/harness/gemini.ts";
import { grok } from "../../../src/harness/grok.ts";
import type { Channel, Harness } from "../../../src/harness/harness.ts";
import { hermes } from "../../../src/harness/hermes.ts";
import { qwen } from "../../../src/harness/qwen.ts";
import type { ReminderInput } from "../../../src/reminder/input.ts";
import { sessionKey } from "../../../src/reminder/state.ts";

/** What a harness says with its events. */
export interface Kind {
  harness: Harness;
  afterTool?: Channel;
  turnIds: "unique" | "of the prompt's text" | "none";
  /** What `stop_hook_active` says. */
  flag: "follows a block" | "follows a block, no tool since" | "always" | "none";
  prompts: "all" | "those of the harness" | "none";
}

/** Grok Build is the old one that drops what is answered after a tool. */
export const kinds: Kind[] = [
  { harness: claude, afterTool: "context", turnIds: "unique", flag: "follows a block", prompts: "none" },
  { harness: hermes, turnIds: "unique", flag: "none", prompts: "all" },
  { harness: grok, turnIds: "unique", flag: "none", prompts: "those of the harness" },
  { harness: cursor, turnIds: "unique", flag: "none", prompts: "none" },
  { harness: droid, afterTool: "context", turnIds: "none", flag: "follows a block", prompts: "none" },
  {
    harness: gemini,
    afterTool: "context",
    turnIds: "of the prompt's text",
    flag: "follows a block, no tool since",
    prompts: "none",
  },
  { harness: qwen, afterTool: "context", turnIds: "unique", flag: "always", prompts: "none" },
];

export type EventFields = Pick<
  ReminderInput,
  "event" | "channel" | "endsTurn" | "wakeUp" | "turnId" | "stopHookActive"
>;

export type StopPhase = "whole" | "check" | "interrupted";

/** The turns of one session, as its user sees them. */
export class Conversation {
  private turn = 0;
  /** A hook, ours or another's, had the model go on in this turn. */
  private goesOn = false;
  /** We did, in this turn. */
  isBlocked = false;
  /** The harness began this turn itself. */
  isWakeUp = false;
  private lastBlock?: { turnId: string | undefined; atMs: number; deliveryId: string };

  constructor(
    readonly kind: Kind,
    readonly sessionId: string,
  ) {}

  fork(): Conversation {
    return Object.assign(new Conversation(this.kind, this.sessionId), this);
  }

  get key(): string {
    return sessionKey(this.name, this.sessionId);
  }

  get name(): string {
    return this.kind.harness.name;
  }

  tool(event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure"): EventFields {
    if (this.kind.flag === "follows a block, no tool since") this.goesOn = false;
    const channel = event === "PreToolUse" ? undefined : this.kind.afterTool;
    return this.fields({ event, endsTurn: false, wakeUp: false, ...(channel ? { channel } : {}) });
  }

  stop(wanted: StopPhase): EventFields {
    const { harness, flag } = this.kind;
    // Only Hermes asks before a turn ends, and some say no more than that theirs has ended.
    const isWhole = wanted === "check" ? harness !== hermes : flag !== "none";
    const phase = isWhole ? "whole" : wanted;
    return this.fields({
      event: "Stop",
      wakeUp: false,
      endsTurn: phase === "whole",
      ...(phase === "check" || (phase === "whole" && harness !== hermes) ? { channel: "block" } : {}),
      ...(flag === "none" ? {} : { stopHookActive: flag === "always" || this.goesOn }),
    });
  }

  /** The user, or the harness itself, begins a turn. Undefined: no event tells of it. */
  prompt(isWakeUp: boolean): EventFields | undefined {
    const { prompts } = this.kind;
    this.begin();
    this.isWakeUp = isWakeUp && prompts === "those of the harness";
    if (prompts === "none" || (prompts !== "all" && !this.isWakeUp)) return undefined;
    return this.fields({
      event: "UserPromptSubmit",
      endsTurn: false,
      wakeUp: this.isWakeUp,
      ...(prompts === "all" ? { channel: "context" } : {}),
    });
  }

  /** Whether a Stop is none that counts or may be answered, by the rules of its harness (D16). */
  isSilent(stop: EventFields, nowMs: number): boolean {
    const { turns } = this.kind.harness;
    if (stop.stopHookActive === true && turns.activeFlag === "silences") return true;
    if (turns.untilEnd) return this.isBlocked && !stop.endsTurn;
    const { lastBlock } = this;
    if (turns.lifetimeMs !== undefined && lastBlock !== undefined)
      return lastBlock.turnId === stop.turnId && nowMs - lastBlock.atMs < turns.lifetimeMs;
    return this.isBlocked && this.kind.turnIds === "unique";
  }

  /** We have not blocked this turn yet, as far as its harness lets it be told from others. */
  mayBlock(nowMs: number): boolean {
    const { lifetimeMs } = this.kind.harness.turns;
    if (!this.isBlocked) return true;
    return lifetimeMs !== undefined && nowMs - (this.lastBlock?.atMs ?? 0) >= lifetimeMs;
  }

  /** The delivery with which we blocked this turn. */
  get blockedBy(): string | undefined {
    return this.isBlocked ? this.lastBlock?.deliveryId : undefined;
  }

  /** After an answer to a Stop: whether we, or another hook, had the model go on. */
  stopped(stop: EventFields, answer: { blocked: string | undefined; others: boolean }, nowMs: number): void {
    const { blocked: deliveryId } = answer;
    if (deliveryId !== undefined) {
      this.isBlocked = true;
      this.lastBlock = { turnId: stop.turnId, atMs: nowMs, deliveryId };
    }
    if (deliveryId !== undefined || (answer.others && stop.channel !== undefined)) this.goesOn = true;
    else if (stop.endsTurn) this.begin();
  }

  /** roborev has forgotten the session, and with it what it knew of this turn. */
  forget(): void {
    this.isBlocked = false;
    this.isWakeUp = false;
    delete this.lastBlock;
  }

  private begin(): void {
    this.turn++;
    this.goesOn = false;
    this.isBlocked = false;
    this.isWakeUp = false;
  }

  private fields(fields: EventFields): EventFields {
    const isCheck = fields.event === "Stop" && this.kind.harness === hermes && !fields.endsTurn;
    const { turnIds } = this.kind;
    if (turnIds === "none" || isCheck) return fields;
    return { ...fields, turnId: turnIds === "unique" ? `t${this.turn}` : `hash ${this.turn % 2}` };
  }
}
