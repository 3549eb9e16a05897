import { createConfigCache } from "../../../src/config/load.ts";
import { HookFacts } from "../../../src/daemon/agent-hook/facts.ts";
import { HookService } from "../../../src/daemon/agent-hook/service.ts";
import type { HookRequest, HookResponse } from "../../../src/daemon/api/hook-event.ts";
import { resolveCheckout } from "../../../src/git/checkout.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Scope } from "../../../src/reminder/lineage.ts";
import type { HookLedger } from "../../../src/store/hook-state/ledger.ts";
import { openLedger, shown } from "../../store/hook-state/open-ledger.ts";
import { tempDir } from "../../support/temp.ts";
import type { Scene } from "./scene.ts";

/** What an event finds. */
export interface Moment {
  state: object;
  now: Date;
}

/** What the daemon of a scene remembers just now. */
export async function momentOf(s: Scene): Promise<Moment> {
  const { body } = await s.daemon.get("/api/agent-hook/sessions");
  return { state: body as object, now: new Date() };
}

/** Everything that an event may have changed. */
export interface Left {
  published: object;
  /** What a daemon would find that starts now. */
  stored: object;
  /** Commits that were queued for a review. */
  queued: string[];
}

export interface Outcome extends Left {
  answer: HookResponse | undefined;
  /** How many of its waits the caller was still there for. */
  waits: number;
}

/** One event, and after how many of its waits its caller goes away; undefined: never. */
export interface Caller {
  request: HookRequest;
  leavesAt?: number;
}

/**
 * Decides events at the same time on the state and the repositories of a scene, which stays as it is. Everything that an
 * event waits for is a place where its caller may leave: right before it is asked, and right after it was answered.
 */
export async function decideOn(s: Scene, { state, now }: Moment, callers: Caller[]): Promise<Outcome[]> {
  using dir = tempDir({ "agent-hook/state.json": JSON.stringify(state) });
  const { ledger } = await openLedger(dir.path, { ...systemClock, now: () => now });
  const queued: string[] = [];
  const outcomes = await Promise.all(
    callers.map((caller, at) => decide(s, ledger, caller, `id-${at}`, now, queued)),
  );
  const published = plain(shown(ledger));
  await ledger.close();
  const stored = plain(shown((await openLedger(dir.path)).ledger));
  return outcomes.map((outcome) => ({ ...outcome, published, stored, queued }));
}

const plain = (value: object): object => JSON.parse(JSON.stringify(value));

async function decide(
  s: Scene,
  ledger: HookLedger,
  { request, leavesAt }: Caller,
  newId: string,
  now: Date,
  queued: string[],
): Promise<Pick<Outcome, "answer" | "waits">> {
  const caller = new AbortController();
  let waits = 0;
  const wait = () => {
    if (++waits === leavesAt) caller.abort();
  };
  const around =
    <A extends unknown[], R>(work: (...args: A) => R | Promise<R>) =>
    async (...args: A): Promise<R> => {
      wait();
      const result = await work(...args);
      wait();
      return result;
    };
  const { services } = s.daemon.parts;
  const clock = { ...systemClock, now: () => now };
  const config = createConfigCache();
  const facts = new HookFacts({
    database: (work) => around(() => services.database(work))(),
    resolveCheckout: around(resolveCheckout),
    now: clock.now,
    onError: (_, error) => {
      throw error;
    },
  });
  const service = new HookService(
    { published: ledger.published, transact: around(ledger.transact.bind(ledger)) } as never,
    {
      clock,
      newId: () => newId,
      config: { ...config, loadOrKeep: around(config.loadOrKeep) },
      configPath: s.dir.join("config.toml"),
      facts: {
        placeOf: around(facts.placeOf.bind(facts)),
        worktreeOf: around(facts.worktreeOf.bind(facts)),
        answer: around(facts.answer.bind(facts)),
      },
      skill: async () => "unknown",
      queueCommit: ({ head }: Scope) => void queued.push(head),
    },
  );
  const answer = await service.event(request, caller.signal).catch((error: unknown) => {
    if (caller.signal.aborted && error === caller.signal.reason) return undefined;
    throw error;
  });
  return { answer, waits };
}
