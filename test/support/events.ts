import type { DaemonEvent, JobEvent } from "../../src/daemon/api/event.ts";
import type { EventHub } from "../../src/daemon/events/hub.ts";
import { waitFor } from "./wait.ts";

/** Everything that a hub publishes from now on. */
export function eventsOf(hub: EventHub) {
  const all: DaemonEvent[] = [];
  hub.listen(({ event }) => all.push(event));
  const jobs = () => all.filter((event): event is JobEvent => "job_id" in event);
  return {
    all,
    /** `type job`, of those since the last call. */
    names(): string[] {
      const names = jobs().map(({ type, job_id }) => `${type} ${job_id}`);
      all.length = 0;
      return names;
    },
    /** The first event of a type, as soon as there is one. */
    async first(type: JobEvent["type"]): Promise<JobEvent> {
      return waitFor(type, () => jobs().find((event) => event.type === type), 20_000);
    },
  };
}
