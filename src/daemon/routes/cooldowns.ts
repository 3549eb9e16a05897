import { Elysia } from "elysia";
import { resolveReviewSettings } from "../../config/resolve.ts";
import { redactSecrets } from "../../lib/redact.ts";
import { requireReviewer } from "../../review/agents/select.ts";
import { type Cooldown, cooldownOf, extendCooldown, restMs } from "../../review/cooldowns.ts";
import { requireGlobalConfig } from "../../review/global-config.ts";
import { QuotaSchema } from "../api/requests.ts";
import type { Services } from "../services.ts";

/** An agent that ran elsewhere, in `roborev fix`, has no quota left: reviews and background fixes let it rest as well. */
export function cooldownRoutes({ database, clock, config, paths }: Services) {
  return new Elysia({ prefix: "/api" }).post(
    "/cooldowns",
    async ({ body }): Promise<Cooldown> => {
      const { name: agent } = requireReviewer(body.agent);
      const global = await requireGlobalConfig({ config, configPath: paths.config });
      const { quotaCooldownMs } = resolveReviewSettings({ request: {}, repo: {}, global });
      const now = clock.now();
      const until = new Date(now.getTime() + restMs(body.rest_ms, quotaCooldownMs));
      return await database((store) => {
        extendCooldown(store.kv, { agent, until, reason: redactSecrets(body.reason) }, now);
        return cooldownOf(store.kv, agent, now) as Cooldown;
      });
    },
    { body: QuotaSchema },
  );
}
