import { type Context, Elysia, ParseError, type ValidationError } from "elysia";
import { errorMessage, RoborevError } from "../lib/errors.ts";
import { redactSecrets } from "../lib/redact.ts";
import type { ErrorBody } from "./api/responses.ts";

// What stands between a request and every handler. Elysia's defaults accept form bodies, any Host and 100 MB,
// echo the submitted body in validation errors and `error.message` in internal ones; all of that ends here.

export interface GuardOptions {
  /** `Host` values that are us. On the Unix socket the client library sends `localhost`. */
  hosts: string[];
  /** Largest body, per path; `default` for the others. */
  bodyLimits: Record<string, number> & { default: number };
  onError(error: unknown, where: string): void;
}

/** Deepest nesting of a body; JSON.parse itself would follow a million levels. */
const maxDepth = 64;

const forwardingHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/** Refusal by headers alone, or undefined. Checked before the body is read. */
export function refuseRequest(request: Request, hosts: string[]): Response | undefined {
  const { headers } = request;
  const host = headers.get("host");
  if (host === null || !hosts.includes(host.toLowerCase()))
    return refusal(421, "E_HOST", "this host is not served here");
  for (const name of forwardingHeaders) {
    if (headers.has(name)) return refusal(403, "E_FORWARDED", "forwarded requests are not accepted");
  }
  // No page of a browser has business here: same-origin pages do not exist on a socket.
  if (headers.has("origin")) return refusal(403, "E_ORIGIN", "browser requests are not accepted");
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "none") return refusal(403, "E_ORIGIN", "browser requests are not accepted");
  if (!["GET", "POST", "HEAD"].includes(request.method))
    return refusal(405, "E_METHOD", `${request.method} is not supported`);
  if (request.method === "POST" && headers.get("content-type")?.toLowerCase() !== "application/json") {
    return refusal(415, "E_CONTENT_TYPE", "the body must be application/json");
  }
  return undefined;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a JSON body, which every route wants to be an object, within its limits. */
export async function readBody(request: Request, limitBytes: number): Promise<object> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limitBytes) throw tooLarge(limitBytes);
  const bytes = await request.bytes();
  if (bytes.length > limitBytes) throw tooLarge(limitBytes);
  if (isTooDeep(bytes))
    throw new RoborevError(`the body is nested deeper than ${maxDepth} levels`, { code: "E_BODY" });
  const body = parsed(bytes);
  // Elysia lets anything through where a schema has no required field (1.4.30).
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new RoborevError("the body is not a JSON object", { code: "E_BODY" });
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new RoborevError("the body is not valid JSON", { code: "E_BODY", cause });
  }
}

/** On every answer: nothing of it is kept or guessed at by anybody. */
export const safeHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** The answer to a request that failed, for a route outside the app. */
export function refusalOf(error: unknown, path: string, options: GuardOptions): Response {
  const set: ErrorContext["set"] = { headers: { ...safeHeaders } };
  const body = shapeError({ code: "UNKNOWN", error, set, path }, options);
  return Response.json(body, { status: Number(set.status), headers: set.headers as Record<string, string> });
}

/** Guard, body reader and error shape as an Elysia plugin for the whole app. */
export function guard(options: GuardOptions) {
  return new Elysia({ name: "guard" })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, safeHeaders);
      return refuseRequest(request, options.hosts);
    })
    .onParse({ as: "global" }, ({ request, path }) =>
      readBody(request, options.bodyLimits[path] ?? options.bodyLimits.default),
    )
    .onError({ as: "global" }, (context) => shapeError(context, options));
}

type ErrorContext = Pick<Context, "set" | "path"> & { code: string | number; error: unknown };

function shapeError({ code, error, set, path }: ErrorContext, options: GuardOptions): ErrorBody {
  // A parse hook's error arrives wrapped.
  const cause = error instanceof ParseError && error.cause !== undefined ? error.cause : error;
  if (cause instanceof RoborevError) {
    set.status = statusOf(cause);
    if (cause.code === "E_BUSY") set.headers["retry-after"] = "1";
    if (set.status >= 500) options.onError(cause, path);
    return {
      error: redactSecrets(errorMessage(cause)),
      code: cause.code,
      ...(cause.hint === undefined ? {} : { hint: redactSecrets(cause.hint) }),
    };
  }
  if (code === "NOT_FOUND") {
    set.status = 404;
    return { error: "no such route", code: "E_ROUTE" };
  }
  if (code === "VALIDATION") {
    set.status = 400;
    return { error: describeInvalid(error as ValidationError), code: "E_INVALID" };
  }
  if (code === "PARSE") {
    set.status = 400;
    return { error: "the body is not valid JSON", code: "E_BODY" };
  }
  set.status = 500;
  options.onError(error, path);
  return { error: "internal error, see the daemon's log", code: "E_INTERNAL" };
}

/** Which field is wrong and what was expected; never the value that was sent. */
function describeInvalid(error: ValidationError): string {
  const first = error.all[0];
  if (!first || !("path" in first)) return "invalid request";
  const where = String(first.path).replace(/^\//, "").replaceAll("/", ".") || error.type;
  return `${where}: ${errorMessage(first.schema?.error ?? first.message)}`;
}

const statuses: Record<string, number> = {
  E_TOO_LARGE: 413,
  E_NOT_FOUND: 404,
  E_NO_REVIEW: 404,
  E_NOT_TRACKED: 404,
  E_CONFLICT: 409,
  E_AGENT_MISSING: 503,
  E_AGENT_NONE: 503,
  E_BUSY: 503,
  E_HOOK_STATE: 503,
  E_STOPPING: 503,
  E_DATABASE: 500,
  E_READ: 500,
  E_WRITE: 500,
  E_SPAWN: 500,
  E_INTERNAL: 500,
};

/** What the caller got wrong is 400; what the daemon could not do has a status of its own. */
const statusOf = (error: RoborevError): number => statuses[error.code] ?? 400;

function refusal(status: number, code: string, error: string): Response {
  return Response.json({ error, code } satisfies ErrorBody, {
    status,
    headers: safeHeaders,
  });
}

const tooLarge = (limit: number) =>
  new RoborevError(`the body is larger than ${limit} bytes`, { code: "E_TOO_LARGE" });

/** Bracket depth by one pass over the bytes; brackets within strings do not count. */
export function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
