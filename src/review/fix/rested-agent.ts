import { RoborevError } from "../../lib/errors.ts";
import type { Cooldown } from "../cooldowns.ts";
import type { FixAgent, FixServices } from "./services.ts";

/** The agent that edits, unless it rests: the daemon knows of every run that met the end of its quota. */
export async function restedAgent(
  services: Pick<FixServices, "agent" | "client" | "command" | "now">,
): Promise<FixAgent> {
  const agent = await services.agent();
  const { name } = agent.reviewer;
  const { agent_cooldowns: resting } = await services.client.status();
  const own = resting.find(({ agent }) => agent === name);
  if (own !== undefined) throw quotaError(own, services);
  return agent;
}

/** The error of a run whose agent has no quota left. */
export const quotaError = (
  { agent, until, reason }: Cooldown,
  { command, now }: Pick<FixServices, "command" | "now">,
) =>
  new RoborevError(
    `quota: ${agent} has nothing left and is not asked before ${clockText(now(), new Date(until))}: ${reason}`,
    { code: "E_QUOTA", hint: `Use another one with: roborev ${command} --agent NAME` },
  );

/** `2026-12-01 15:04 (in 2h05m)`, in the user's time. */
function clockText(now: Date, at: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.max(1, Math.round((at.getTime() - now.getTime()) / 60_000));
  const wait = minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())} (in ${wait})`;
}
