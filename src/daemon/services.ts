import type { ConfigCache } from "../config/load.ts";
import type { DataPaths } from "../config/paths.ts";
import type { Clock } from "../lib/clock.ts";
import type { Engine } from "../review/engine.ts";
import type { Enqueuer } from "../review/enqueue.ts";
import type { Store } from "../store/store.ts";
import type { Activity } from "./activity.ts";
import type { CheckoutReviews } from "./agent-hook/checkout-reviews.ts";
import type { HookService } from "./agent-hook/service.ts";
import type { ConfigWatch } from "./config-watch.ts";
import type { ErrorRing } from "./error-ring.ts";
import type { EventHub } from "./events/hub.ts";
import type { JobEvents } from "./events/job-events.ts";
import type { MissedCommits } from "./missed-commits.ts";

/** What the routes work with. */
export interface Services {
  clock: Clock;
  paths: DataPaths;
  socket: string;
  startedAt: Date;
  /** The service manager that started this daemon, if one did. */
  managedBy?: string;
  store: Store;
  /** A database call that waits, without blocking the daemon, while another program holds the database. */
  database<T>(work: (store: Store) => T): Promise<T>;
  config: ConfigCache;
  configWatch: Pick<ConfigWatch, "last" | "pendingRestart">;
  engine: Engine;
  enqueue: Enqueuer;
  missed: Pick<MissedCommits, "remember">;
  /** Throws `E_HOOK_STATE` while the state file is unreadable. */
  hooks(): HookService;
  checkoutReviews: Pick<CheckoutReviews, "of">;
  activity: Pick<Activity, "recent">;
  errors: ErrorRing;
  events: EventHub;
  /** Where a route tells what it did to a job. */
  jobEvents: JobEvents;
  /** Begins a graceful stop; returns at once. `who` asks for it, for the log. */
  stop(who?: string): void;
}
