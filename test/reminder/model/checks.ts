import type { Decision } from "../../../src/reminder/decision.ts";
import type { Delivery, Session } from "../../../src/reminder/state.ts";
import { reminderText } from "../../../src/reminder/text.ts";
import type { Input } from "./hooks.ts";
import type { Sent } from "./judge.ts";
import type { World } from "./world.ts";

/** Fails the run with what was promised and what came instead. */
export function must(holds: boolean, what: string, ...seen: unknown[]): void {
  if (!holds) throw new Error(`${what}: ${seen.map((value) => JSON.stringify(value)).join(" / ")}`);
}

/** What a reminder names is open, new and not too much, and it is about a place that may be told about. */
export function checkReminder({ trigger }: Decision, input: Input, world: World): void {
  if (trigger === undefined) return;
  const { ids, closing = [], scope, fixSessionId } = trigger;
  must(input.channel !== undefined, "a reminder has a channel", trigger);
  must(!input.optedOut && !input.fromSubagent, "nobody is told who did not want it or is not it", trigger);
  must(!world.isSnoozed(scope.worktreeRoot, scope.branch), "(2) nothing is told while snoozed", trigger);
  const place = world.place(scope.worktreeRoot);
  must(Bun.deepEquals(place?.scope, scope), "a reminder is about a checkout as it is", trigger, place);
  must(place?.tracked === true, "a reminder is about a tracked place", trigger);
  must(ids.length > 0 || closing.length > 0, "a reminder names something", trigger);
  must(ids.length <= 50, "(7) a reminder names at most 50", trigger);
  const open = world.openFailed(scope.worktreeRoot);
  must(
    ids.every((id) => open.includes(id)) && closing.every(world.isOpen),
    "(7) only open reviews",
    trigger,
    open,
  );
  must(new Set([...ids, ...closing]).size === ids.length + closing.length, "named once", trigger);
  must(fixSessionId !== undefined, "whoever is told owns the fix session", trigger);
  const text = reminderText({
    trigger,
    instruction: "",
    fixGuidelines: "",
    cli: { platform: "linux" },
    maxBytes: 10_000,
  });
  const numbers = new Set(text.match(/\d+/g)?.map(Number));
  must(
    ids.every((id) => numbers.has(id)),
    "(7) the text names them",
    text,
  );
}

/** Every text has its record, and every record its text; one that is there already is advanced when its turn goes on. */
export function checkRecords(
  decision: Decision,
  { input, conversation, isSilent }: Sent,
  known: ReadonlyMap<string, Delivery>,
): void {
  const { trigger, deliveries = {} } = decision;
  const fresh = Object.keys(deliveries).filter((id) => !known.has(id));
  const expected = trigger === undefined ? [] : [input.newId];
  must(Bun.deepEquals(fresh, expected), "(8) one record a text", decision);
  const record = deliveries[input.newId];
  if (trigger !== undefined && record !== undefined) {
    const { scope, ids, closing = [], by } = trigger;
    const said = [record.worktree, record.channel, record.triggered_by, record.review_ids.toSorted()];
    const told = [scope.worktreeRoot, input.channel, by, [...closing, ...ids].sort()];
    must(Bun.deepEquals(said, told), "(8) the record says what was told", record, trigger);
  }
  // Where turns are told apart by the text of their prompt and the time, another turn may pass for the same.
  const isGuessed = input.turns.lifetimeMs !== undefined;
  for (const [id, { continued_at, ...row }] of Object.entries(deliveries)) {
    const { continued_at: _, ...before } = known.get(id) ?? {};
    if (!known.has(id)) continue;
    must(Bun.deepEquals(row, before), "(8) a record is only advanced", row, before);
    const isSure = isSilent && (conversation.blockedBy === id || isGuessed);
    must(continued_at !== undefined && isSure, "(8) a block has arrived when its turn goes on", row);
  }
  const { blockedBy } = conversation;
  if (!isSilent || isGuessed || blockedBy === undefined || !known.has(blockedBy)) return;
  const isShown = (deliveries[blockedBy] ?? known.get(blockedBy))?.continued_at !== undefined;
  must(isShown, "(8) a turn that goes on shows that the block has arrived", known.get(blockedBy));
}

const minuteMs = 60_000;

/** A session is only returned when it says something new, or at least that a minute has passed. */
export function checkChange(before: Session | undefined, after: Session | undefined): void {
  if (after === undefined || before === undefined) return;
  const { last_seen_at: was = "", ...old } = before;
  const { last_seen_at: is = "", ...now } = after;
  const isLater = Date.parse(is) - Date.parse(was) >= minuteMs;
  must(isLater || !Bun.deepEquals(old, now), "(9) nothing is written for nothing", after);
}
