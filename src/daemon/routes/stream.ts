import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { EventHub } from "../events/hub.ts";
import type { StreamItem, Subscription } from "../events/subscription.ts";
import type { Services } from "../services.ts";

/** How often a stream on which nothing happens says that it is there; a reader may give up after three of these. */
export const keepAliveMs = 15_000;

const StreamSchema = Type.Object({
  /** A path in the repository whose events are wanted; left out: all. */
  repo: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
});

/** The event stream: NDJSON, in which an empty line is a keep-alive, or SSE for those who accept it. */
export function streamRoutes({ enqueue, events }: Pick<Services, "enqueue" | "events">) {
  return new Elysia({ prefix: "/api/stream" }).get(
    "/events",
    async ({ query, request }) => {
      const repo = query.repo === undefined ? undefined : await enqueue.mainRoot(query.repo);
      const isSse = request.headers.get("accept")?.toLowerCase().includes(sse.contentType) ?? false;
      const framing = isSse ? sse : ndjson;
      // Elysia answers HEAD by this handler and reads the whole body, which never ends (1.4.30).
      const body = request.method === "HEAD" ? null : eventStream(events, repo, framing);
      return new Response(body, { headers: { "content-type": framing.contentType } });
    },
    { query: StreamSchema },
  );
}

interface Framing {
  contentType: string;
  keepAlive: string;
  frame(item: StreamItem): string;
}

const ndjson: Framing = {
  contentType: "application/x-ndjson",
  keepAlive: "\n",
  frame: ({ json }) => `${json}\n`,
};

/** https://html.spec.whatwg.org/multipage/server-sent-events.html; JSON has no line ends of its own. */
const sse: Framing = {
  contentType: "text/event-stream",
  keepAlive: ": keep-alive\n\n",
  frame: ({ type, json }) => `event: ${type}\ndata: ${json}\n\n`,
};

/**
 * Gives what a subscription has whenever the connection takes more, so that a slow client costs what the subscription
 * may hold and no more. The subscription begins with the first byte, which is sent at once: a client that has the
 * headers misses nothing.
 */
export function eventStream(
  hub: Pick<EventHub, "subscribe">,
  repo: string | undefined,
  framing: Framing,
): ReadableStream<Uint8Array> {
  let subscription: Subscription | undefined;
  let isCanceled = false;
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!subscription) {
          subscription = hub.subscribe(repo === undefined ? {} : { repo });
          controller.enqueue(encoder.encode(framing.keepAlive));
          return;
        }
        const taken = await subscription.take(keepAliveMs);
        if (isCanceled) return;
        if (taken === "closed") controller.close();
        else {
          const text = taken === "nothing" ? framing.keepAlive : taken.map(framing.frame).join("");
          controller.enqueue(encoder.encode(text));
        }
      },
      cancel() {
        isCanceled = true;
        subscription?.close();
      },
    },
    // Nothing is fetched ahead of the connection.
    { highWaterMark: 0 },
  );
}
