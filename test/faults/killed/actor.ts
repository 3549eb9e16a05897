import { expect } from "bun:test";
import type { HookEventBody, HookResponse } from "../../../src/daemon/api/hook-event.ts";
import type { FixSession, Session } from "../../../src/reminder/state.ts";
import type { Connection } from "../../support/connection.ts";

type Sender = Pick<Connection, "send">;

interface ShownRows {
  sessions: Record<string, Session>;
  fix_sessions?: Record<string, FixSession>;
}

/** The reminder state as the daemon shows it. */
export interface ShownState extends ShownRows {
  /** Ids. */
  deliveries: Set<string>;
}

export async function shownState(daemon: Sender): Promise<ShownState> {
  const log = await daemon.send("GET", "/api/agent-hook/deliveries?limit=0");
  const { deliveries } = log.body as { deliveries: { id: string }[] };
  return { ...(await shownRows(daemon)), deliveries: new Set(deliveries.map(({ id }) => id)) };
}

const shownRows = async (daemon: Sender): Promise<ShownRows> =>
  (await daemon.send("GET", "/api/agent-hook/sessions")).body as ShownRows;

/**
 * One session that sends events one after the other until its daemon is killed, and remembers what was acknowledged.
 * After every acknowledged action it reads its row: that row must be there after any crash, unless another action
 * was under way.
 */
export class Actor {
  /** As read after the last acknowledged action. */
  private row: Session | undefined;
  private fix: FixSession | undefined;
  private underWay: "nothing" | "an action" | "a reset" = "nothing";
  /** Of the action under way, if it was answered with a reminder. */
  private granted: string | undefined;
  private readonly named = new Set<number>();
  private readonly deliveries = new Set<string>();
  private readonly givenBack = new Set<string>();
  /** Lower bounds of what the state must hold. */
  private acknowledged = { turns: 0, reminders: 0 };
  readonly done = { answered: 0, told: 0, named: 0, givenBack: 0, resets: 0, interrupted: 0 };
  private daemon!: Connection;

  constructor(
    readonly agent: string,
    readonly sessionId: string,
    readonly cwd: string,
  ) {}

  get session(): Session | undefined {
    return this.row;
  }

  /** The daemon that came after a kill; checks what it found. */
  meet(daemon: Connection, state: ShownState): void {
    this.daemon = daemon;
    this.check(state);
    this.adopt(state);
  }

  async event(
    event: Partial<HookEventBody>,
    flags: { turns?: number; failed?: number },
  ): Promise<HookResponse> {
    this.begin("an action");
    const response = await this.daemon.hook({
      agent: this.agent,
      event: { session_id: this.sessionId, hook_event_name: "", cwd: this.cwd, ...event },
      threshold: flags.turns ?? 0,
      failed_review_threshold: flags.failed ?? 0,
    });
    this.done.answered++;
    if (response.triggered) this.noteReminder(response);
    this.acknowledged.turns = response.count;
    await this.read();
    return response;
  }

  /** Ends the fix session that a reminder opened. */
  async giveBack({ fix_session_id: id }: HookResponse): Promise<void> {
    this.begin("an action");
    const answer = await this.daemon.send("POST", "/api/agent-hook/fix-done", { fix_session_id: id });
    expect(answer.status).toBe(200);
    this.givenBack.add(id as string);
    this.done.givenBack++;
    await this.read();
  }

  /** Begins anew, as a session that has been told everything. */
  async reset(): Promise<void> {
    this.begin("a reset");
    const answer = await this.daemon.send("POST", "/api/agent-hook/reset", { session_id: this.sessionId });
    expect(answer.status).toBe(200);
    this.forget();
    await this.read();
    expect(this.row).toBeUndefined();
  }

  private begin(what: "an action" | "a reset"): void {
    this.underWay = what;
    this.granted = undefined;
  }

  private noteReminder(response: HookResponse): void {
    const ids = /Review job ids?: (\d+(?:, \d+)*)/.exec(response.reason ?? "")?.[1]?.split(", ") ?? [];
    for (const id of ids.map(Number)) {
      expect({ session: this.key, id, twice: this.named.has(id) || this.knows(id) }).toEqual({
        session: this.key,
        id,
        twice: false,
      });
      this.named.add(id);
    }
    expect(this.givenBack).not.toContain(response.fix_session_id);
    this.deliveries.add(response.delivery_id as string);
    this.granted = response.fix_session_id;
    this.acknowledged.reminders = response.remind_count ?? 0;
    this.done.told++;
    this.done.named += ids.length;
  }

  private check({ sessions, fix_sessions: fixes = {}, deliveries }: ShownState): void {
    const row = sessions[this.key];
    if (this.underWay === "a reset" && row === undefined) {
      this.forget();
      return;
    }
    const fix = Object.values(fixes).find((each) => this.isOwn(each));
    if (this.underWay === "nothing") expect({ row, fix }).toEqual({ row: this.row, fix: this.fix });
    else this.done.interrupted++;
    if (this.granted !== undefined) expect(fix?.id).toBe(this.granted);
    expect(row?.count ?? 0).toBeGreaterThanOrEqual(this.acknowledged.turns);
    expect(row?.remind_count ?? 0).toBeGreaterThanOrEqual(this.acknowledged.reminders);
    const known = acknowledgedIds(row);
    expect([...this.named].filter((id) => !known.has(id))).toEqual([]);
    expect([...this.deliveries].filter((id) => !deliveries.has(id))).toEqual([]);
    expect(Object.values(fixes).filter(({ id }) => this.givenBack.has(id))).toEqual([]);
  }

  private async read(): Promise<void> {
    this.adopt(await shownRows(this.daemon));
  }

  private adopt({ sessions, fix_sessions: fixes = {} }: ShownRows): void {
    this.row = sessions[this.key];
    this.fix = Object.values(fixes).find((each) => this.isOwn(each));
    this.underWay = "nothing";
  }

  private forget(): void {
    this.named.clear();
    this.deliveries.clear();
    this.acknowledged = { turns: 0, reminders: 0 };
    this.done.resets++;
  }

  private get key(): string {
    return `${this.agent}:${this.sessionId}`;
  }

  private isOwn({ agent, session_id: id }: FixSession): boolean {
    return agent === this.agent && id === this.sessionId;
  }

  private knows(id: number): boolean {
    return acknowledgedIds(this.row).has(id);
  }
}

const acknowledgedIds = (row: Session | undefined): Set<number> =>
  new Set(Object.values(row?.acknowledged_review_ids ?? {}).flatMap((ids) => Object.keys(ids).map(Number)));
