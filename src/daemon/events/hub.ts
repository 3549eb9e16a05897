import type { DaemonEvent } from "../api/event.ts";
import { Subscription, type SubscriptionOptions } from "./subscription.ts";

/** An event and its JSON, made once for everybody who gets it. */
export interface Published {
  event: DaemonEvent;
  json: string;
}

/** Hands events to whoever listens. Publishing never waits for a listener and never fails because of one. */
export class EventHub {
  private readonly listeners = new Set<(published: Published) => void>();
  private readonly subscriptions = new Set<Subscription>();
  private isClosed = false;

  constructor(private readonly onError: (error: unknown) => void) {}

  publish(event: DaemonEvent): void {
    if (this.isClosed || (this.listeners.size === 0 && this.subscriptions.size === 0)) return;
    const published = { event, json: JSON.stringify(event) };
    for (const subscription of this.subscriptions) subscription.offer(published);
    for (const listener of this.listeners) {
      try {
        listener(published);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Calls `listener` with every event, for as long as the daemon lives. It must return at once. */
  listen(listener: (published: Published) => void): void {
    this.listeners.add(listener);
  }

  /** Events from now on, for a reader that takes its time. */
  subscribe(options: SubscriptionOptions = {}): Subscription {
    const subscription = new Subscription(options, () => this.subscriptions.delete(subscription));
    if (this.isClosed) subscription.close();
    else this.subscriptions.add(subscription);
    return subscription;
  }

  /** Readers of the stream that are connected. */
  get subscribers(): number {
    return this.subscriptions.size;
  }

  /** Ends every subscription; nothing is published any more. */
  close(): void {
    this.isClosed = true;
    for (const subscription of [...this.subscriptions]) subscription.close();
  }
}
