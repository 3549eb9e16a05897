import type { Decision, Trigger } from "../../../src/reminder/decision.ts";
import type { Ask } from "../../../src/reminder/facts.ts";
import { lineageOf, type Scope, worktreeKey } from "../../../src/reminder/lineage.ts";
import type { FixSession, Session } from "../../../src/reminder/state.ts";
import { must } from "./checks.ts";
import type { Conversation } from "./conversation.ts";
import { checkCounts, takePolicysWord } from "./counts.ts";
import { checkDue, isDue, type Known } from "./due.ts";
import type { Input } from "./hooks.ts";
import { Ledger, placeOf } from "./ledger.ts";
import { Owners } from "./owners.ts";
import type { PolicyState } from "./state.ts";
import type { World } from "./world.ts";

export interface Sent {
  input: Input;
  conversation: Conversation;
  /** A Stop that neither counts nor may be answered. */
  isSilent: boolean;
}

/** The reference model: what each session did and was told, and whether the policy did what follows from it. */
export class Judge {
  readonly owners: Owners;
  private readonly ledgers = new Map<string, Ledger>();

  constructor(private readonly world: World) {
    this.owners = new Owners(world);
  }

  /** `agent-hook reset` */
  forget(conversation: Conversation): void {
    conversation.forget();
    this.ledgers.delete(conversation.key);
    this.owners.forget(conversation.key);
  }

  before({ input, conversation: { key }, isSilent }: Sent): void {
    this.ledger(key).see(input);
    const { place, event } = input;
    if (event !== "Stop" || place === undefined) return;
    if (isSilent || isAwake(input)) this.owners.turnEnds(key, place.scope.worktreeRoot, isSilent);
  }

  after(sent: Sent, decision: Decision, state: PolicyState): void {
    const { input, isSilent, conversation } = sent;
    const { trigger } = decision;
    const ledger = this.ledger(conversation.key);
    const session = state.sessions.get(conversation.key);
    const lineage = input.place && this.lineageIn(session, input.place.scope);
    const isCloseOut = trigger?.by === "fix_session";
    // A close-out belongs to the turn that goes on: it moves and counts nothing.
    if (!isSilent && !isCloseOut) {
      ledger.passed(input, lineage);
      if (input.endsTurn && isAwake(input) && !conversation.isWakeUp) ledger.countTurn(lineage as string);
    }
    takePolicysWord(ledger, session, this.world);
    const isElsewhere = trigger?.isElsewhere === true;
    const here = input.place?.scope;
    if (here !== undefined && isEvaluated(sent)) {
      const known = this.known(conversation.key, here, lineage as string);
      if (isElsewhere) must(!isDue(input, known), "what is due here is told first", trigger, known);
      else checkDue({ input, decision, known });
    }
    if (isElsewhere) this.checkElsewhere(sent, decision, session);
    else if (trigger === undefined && !isSilent && isHeard(input)) this.checkNothingElsewhere(sent, session);
    if (trigger !== undefined) {
      this.told(sent, trigger, session);
      const { queued_at } = decision.deliveries?.[input.newId] ?? {};
      if (trigger.queued !== undefined) ledger.waiting.delivered(trigger, queued_at);
    }
    if (lineage !== undefined) this.queued(ledger, session, input.place!.scope, lineage);
    ledger.waiting.check(session, trigger === undefined && !isSilent && isHeard(input));
    checkCounts(ledger, session, this.world);
    this.checkOwners(state.fixSessions);
  }

  /** What is told of another working tree is due there. */
  private checkElsewhere({ input, conversation }: Sent, decision: Decision, session: Session | undefined) {
    const { scope } = decision.trigger as Trigger;
    must(scope.worktreeRoot !== input.place?.scope.worktreeRoot, "elsewhere is not here", decision.trigger);
    const isOwn = this.ledger(conversation.key).hasCommitted(scope.worktreeRoot);
    must(isOwn, "only where the session has committed", decision.trigger);
    const known = this.known(conversation.key, scope, this.lineageIn(session, scope) as string);
    checkDue({ input, decision, known });
  }

  /** Nothing is due where the session has committed and was not told of it. */
  private checkNothingElsewhere({ input, conversation }: Sent, session: Session | undefined) {
    for (const worktree of this.world.worktrees) {
      const place = this.world.place(worktree);
      if (place?.openFailed === undefined || worktree === input.place?.scope.worktreeRoot) continue;
      const lineage = this.lineageIn(session, place.scope);
      const isKept = lineage === session?.worktree_lineage_keys?.[worktreeKey(place.scope)];
      if (lineage === undefined || !isKept) continue;
      const known = this.known(conversation.key, place.scope, lineage);
      const hasCommitted = (known.commits ?? 0) > 0;
      must(!hasCommitted || !isDue(input, known), "(6) what is due elsewhere is told", worktree, known);
    }
  }

  /** Open failed reviews of a checkout that the session was not told about. */
  fresh(key: string, worktree: string, lineage: string): number[] {
    const told = this.ledger(key).told.get(lineage);
    return this.world.openFailed(worktree).filter((id) => !told?.has(id));
  }

  /** The session's lineage in a checkout, from what it says after an event; a close-out does not store it. */
  lineageIn(session: Session | undefined, scope: Scope): string | undefined {
    const stored = session?.worktree_lineage_keys?.[worktreeKey(scope)];
    const answer = ((question) => this.world.answer(question)) as Ask;
    return stored === undefined ? undefined : lineageOf(session, scope, answer);
  }

  private ledger(key: string): Ledger {
    const known = this.ledgers.get(key) ?? new Ledger(this.world);
    this.ledgers.set(key, known);
    return known;
  }

  private known(key: string, { worktreeRoot: worktree, branch }: Scope, lineage: string): Known {
    const ledger = this.ledger(key);
    const owner = this.owners.of(worktree);
    return {
      fresh: this.fresh(key, worktree, lineage),
      turns: ledger.turnsSince.get(lineage) ?? 0,
      commits: ledger.commitsSince(placeOf(worktree, branch)),
      isFree: owner === undefined || owner.session === key,
    };
  }

  private told({ input, conversation }: Sent, trigger: Trigger, session: Session | undefined): void {
    const { scope, ids, by, fixSessionId = "", closing = [] } = trigger;
    const { key } = conversation;
    const { worktreeRoot: worktree, branch } = scope;
    const ledger = this.ledger(key);
    const lineage = this.lineageIn(session, scope) as string;
    const known = [...(ledger.told.get(lineage) ?? [])];
    must(!ids.some((id) => known.includes(id)), "(1) nothing is told twice", lineage, ids, known);
    const owner = this.owners.of(worktree);
    const isFree = owner === undefined || owner.session === key;
    must(isFree, "(5) one owner a working tree", key, owner);
    const mayBlock = input.channel !== "block" || conversation.mayBlock(this.world.nowMs);
    must(mayBlock, "(4) one block a turn", trigger);
    const isCloseOut = by === "fix_session";
    if (isCloseOut) {
      must((owner?.asked ?? 3) < 3, "an owner is asked three times at most", owner);
      const open = [...(owner?.ids ?? [])].filter(this.world.isOpen);
      must(Bun.deepEquals(closing.toSorted(), open.sort()), "a close-out names what is left", closing, open);
    }
    if (trigger.queued === undefined && ids.length > 0) ledger.restart(worktree, branch, lineage);
    if (trigger.queued === undefined && !isCloseOut) ledger.waiting.forget(lineage);
    ledger.tell(lineage, ids);
    this.owners.told(key, worktree, { fixSessionId, ids, isCloseOut });
  }

  /** What the event queued, if it did, is over for the counters. */
  private queued(ledger: Ledger, session: Session | undefined, scope: Scope, lineage: string): void {
    const { worktreeRoot: worktree, branch } = scope;
    const commits = ledger.commitsSince(placeOf(worktree, branch));
    if (ledger.waiting.queued(session?.pending_reminders, lineage, commits))
      ledger.restart(worktree, branch, lineage);
  }

  private checkOwners(fixSessions: ReadonlyMap<string, FixSession>): void {
    for (const worktree of this.world.worktrees) {
      const fix = fixSessions.get(`${this.world.repository(worktree).root}\0worktree\0${worktree}`);
      const isActive =
        fix !== undefined &&
        Date.parse(fix.expires_at) > this.world.nowMs &&
        fix.review_ids.some(this.world.isOpen);
      const owner = this.owners.of(worktree)?.fixSessionId;
      must((isActive ? fix.id : undefined) === owner, "(5) the owner", worktree, fix, owner);
    }
  }
}

/** Its place is one whose reviews may be told about. */
const isAwake = ({ place, now }: Input): boolean =>
  place?.tracked === true && (place.snoozedUntil?.getTime() ?? 0) <= now.getTime();

/** The answer to this event reaches the model between two turns. */
const isHeard = ({ event, channel, optedOut, fromSubagent }: Input): boolean =>
  (event === "Stop" || event === "UserPromptSubmit") && channel !== undefined && !optedOut && !fromSubagent;

/** The event asks whether something is due. */
const isEvaluated = ({ input, isSilent }: Sent): boolean =>
  isAwake(input) && !isSilent && !input.fromSubagent && !input.wakeUp && input.event !== "PreToolUse";
