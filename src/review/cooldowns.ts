import { type Static, Type } from "@sinclair/typebox";
import { agentCooldownsKey } from "../store/kv.ts";
import type { KeyValues } from "../store/store.ts";

/** A reviewer that is not asked before `until`, because its account has used up what it may use. */
export const CooldownSchema = Type.Object({
  /** Canonical name. */
  agent: Type.String(),
  /** RFC 3339 in UTC. */
  until: Type.String(),
  /** What the program said. */
  reason: Type.String(),
});
export type Cooldown = Static<typeof CooldownSchema>;

const maxReasonLength = 300;

/** Those that hold, by name. They outlive the daemon. */
export function cooldowns(kv: Pick<KeyValues, "get">, now: Date): Cooldown[] {
  return stored(kv)
    .filter(({ until }) => Date.parse(until) > now.getTime())
    .sort((a, b) => a.agent.localeCompare(b.agent));
}

export function cooldownOf(kv: Pick<KeyValues, "get">, agent: string, now: Date): Cooldown | undefined {
  return cooldowns(kv, now).find((cooldown) => cooldown.agent === agent);
}

/** Begins one, or makes it longer: never shorter, whichever of several jobs at a time reports last. */
export function extendCooldown(
  kv: KeyValues,
  { agent, until, reason }: Pick<Cooldown, "agent" | "reason"> & { until: Date },
  now: Date,
): void {
  const known = cooldowns(kv, now);
  const own = known.find((cooldown) => cooldown.agent === agent);
  if (own && Date.parse(own.until) >= until.getTime()) return;
  const longer = { agent, until: until.toISOString(), reason: reason.slice(0, maxReasonLength) };
  kv.set(agentCooldownsKey, JSON.stringify([...known.filter((cooldown) => cooldown !== own), longer]));
}

/** How long it lasts: what the program says, but no longer than the user allows; where it says nothing, what the user says. */
export const restMs = (saidMs: number | undefined, allowedMs: number): number =>
  Math.min(saidMs ?? allowedMs, allowedMs);

function stored(kv: Pick<KeyValues, "get">): Cooldown[] {
  const text = kv.get(agentCooldownsKey);
  return text === undefined ? [] : (JSON.parse(text) as Cooldown[]);
}
