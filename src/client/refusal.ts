import { RoborevError } from "../lib/errors.ts";
import { DaemonError } from "./transport.ts";

/** The daemon understood the request and said no. */
export class DaemonRefusal extends RoborevError {
  readonly status: number;
  /** The whole answer, for the routes that say more than `error`. */
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    const message = typeof body.error === "string" ? body.error : `the daemon answered with status ${status}`;
    super(message, {
      code: typeof body.code === "string" ? body.code : `E_HTTP_${status}`,
      ...(typeof body.hint === "string" ? { hint: body.hint } : {}),
      // Only a daemon that is older than this client lacks a route; it does not know what to say about that.
      ...(body.code === "E_ROUTE" ? { hint: "Bring it up to date with: roborev daemon restart" } : {}),
    });
    this.name = "DaemonRefusal";
    this.status = status;
    this.body = body;
  }
}

/** The error that an answer with an error status stands for. */
export async function refusalOf(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body === "object" && body !== null) {
    return new DaemonRefusal(response.status, body as Record<string, unknown>);
  }
  return new DaemonError("bad-answer", `the daemon answered ${response.status} without a JSON body`);
}
