import type { PendingReminder } from "../../../src/reminder/state.ts";
import { codingAgent, hermesTurnEnd } from "./coding-agent.ts";
import { type SceneOptions, scene } from "./scene.ts";

export interface HermesOptions extends SceneOptions {
  commits?: number;
  failed?: number;
}

/** A session of Hermes Agent, which hears nothing after a command. */
export async function hermes({ commits = 0, failed = 1, ...options }: HermesOptions = {}) {
  const s = await scene(options);
  const agent = codingAgent(s, {
    agent: "hermes",
    session: "h1",
    commitThreshold: commits,
    failedReviewThreshold: failed,
    turnThreshold: 0,
  });
  return {
    ...s,
    agent,
    queue: async (): Promise<PendingReminder[]> =>
      Object.values((await agent.state())?.pending_reminders ?? {}),
    /** The user's turn ends, and the next one begins. */
    nextTurn: () => agent.send(hermesTurnEnd),
  };
}
