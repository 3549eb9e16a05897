import { TypeCompiler } from "@sinclair/typebox/compiler";
import { RoborevError } from "../lib/errors.ts";
import type { HookService } from "./agent-hook/service.ts";
import { HookRequestSchema } from "./api/hook-event.ts";
import { type GuardOptions, readBody, refusalOf, refuseRequest, safeHeaders } from "./guard.ts";
import type { Services } from "./services.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

const path = "/api/agent-hook/event";
const request = TypeCompiler.Compile(HookRequestSchema);

/**
 * Serves the hook's own route in front of `next`: the same guard, the same limits, the same errors, without the
 * router's 0.3 ms (Elysia 1.4.30, a request every 10 ms), which every shell command of every session would wait for.
 */
export function withHookRoute(next: Fetch, services: Pick<Services, "hooks">, options: GuardOptions): Fetch {
  const answer = async (incoming: Request): Promise<Response> => {
    try {
      const body = await readBody(incoming, options.bodyLimits.default);
      if (!request.Check(body)) throw invalid(body);
      const hooks = services.hooks();
      const decided = await hooks.event(body, incoming.signal);
      if (decided.delivery_id !== undefined)
        noteAnswered(hooks, decided.delivery_id, incoming.signal, options);
      return Response.json(decided, { headers: safeHeaders });
    } catch (error) {
      return refusalOf(error, path, options);
    }
  };
  return (incoming) => {
    if (incoming.method !== "POST" || incoming.url !== `http://localhost${path}`) return next(incoming);
    return refuseRequest(incoming, options.hosts) ?? answer(incoming);
  };
}

/** Once the answer is on its way, unless nobody waits for it any more. */
function noteAnswered(hooks: HookService, deliveryId: string, signal: AbortSignal, options: GuardOptions) {
  setTimeout(() => {
    if (!signal.aborted) hooks.answered(deliveryId).catch((error) => options.onError(error, path));
  }, 0);
}

/** Which field is wrong and what was expected; never the value that was sent. */
function invalid(body: unknown): RoborevError {
  const first = request.Errors(body).First();
  const where = first?.path.replace(/^\//, "").replaceAll("/", ".") || "body";
  return new RoborevError(`${where}: ${first?.message ?? "invalid"}`, { code: "E_INVALID" });
}
