import type { DroppedMarker } from "../api/event.ts";
import type { Published } from "./hub.ts";

export interface SubscriptionOptions {
  /** Main root of the repository whose events are wanted; what concerns no repository comes as well. */
  repo?: string;
  /** Most events that wait to be taken. Default 256: a rebase of as many commits is one burst. */
  maxEvents?: number;
  /** Most characters of JSON that wait to be taken, unless it is a single event. Default 1 Mi. */
  maxChars?: number;
  now?: () => Date;
}

/** One of the JSON documents that a reader gets. */
export interface StreamItem {
  type: string;
  json: string;
}

export type Taken = StreamItem[] | "nothing" | "closed";

/** What waits for one reader. Beyond its bounds, events are counted instead of kept: nobody ever waits for a reader. */
export class Subscription {
  private items: StreamItem[] = [];
  private chars = 0;
  private dropped = 0;
  private isClosed = false;
  private wake: (() => void) | undefined;
  private readonly maxEvents: number;
  private readonly maxChars: number;

  constructor(
    private readonly options: SubscriptionOptions,
    private readonly onClose: () => void,
  ) {
    this.maxEvents = options.maxEvents ?? 256;
    this.maxChars = options.maxChars ?? 1024 * 1024;
  }

  offer({ event, json }: Published): void {
    const { repo } = this.options;
    if (repo !== undefined && "repo" in event && event.repo !== repo) return;
    const isFull =
      this.items.length >= this.maxEvents ||
      (this.items.length > 0 && this.chars + json.length > this.maxChars);
    // Once one is missing, so are those behind it, until the reader has been told.
    if (this.dropped > 0 || isFull) this.dropped++;
    else {
      this.items.push({ type: event.type, json });
      this.chars += json.length;
    }
    this.wake?.();
  }

  /** Everything that waits, oldest first; what comes first if nothing does: an event, the end, or `timeoutMs`. */
  async take(timeoutMs: number): Promise<Taken> {
    if (this.items.length === 0 && !this.isClosed) await this.next(timeoutMs);
    const taken = this.items;
    if (this.dropped > 0) taken.push(this.droppedMarker());
    this.items = [];
    this.chars = 0;
    this.dropped = 0;
    if (taken.length > 0) return taken;
    return this.isClosed ? "closed" : "nothing";
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onClose();
    this.wake?.();
  }

  private async next(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    this.wake = undefined;
  }

  private droppedMarker(): StreamItem {
    const ts = (this.options.now?.() ?? new Date()).toISOString();
    const marker: DroppedMarker = { type: "stream.dropped", ts, count: this.dropped };
    return { type: marker.type, json: JSON.stringify(marker) };
  }
}
