import { describe, expect, test } from "bun:test";
import { postWebhook } from "../../../src/daemon/review-hooks/webhook.ts";

const never = new AbortController().signal;

function receiver(answer: (request: Request) => Response | Promise<Response>) {
  const seen: { method: string; path: string; type: string | null; body: string }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      seen.push({
        method: request.method,
        path: `${pathname}${search}`,
        type: request.headers.get("content-type"),
        body: await request.text(),
      });
      return answer(request);
    },
  });
  return {
    seen,
    url: `http://127.0.0.1:${server.port}/hook/s3cret?key=t0ken`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const post = (url: string, timeoutMs = 5000, signal = never) =>
  postWebhook(url, '{"n":1}', { timeoutMs, signal });

describe("C12 a webhook", () => {
  test("gets the event as JSON by POST", async () => {
    await using r = receiver(() => new Response("thanks"));
    expect(await post(r.url)).toBeUndefined();
    expect(r.seen).toEqual([
      { method: "POST", path: "/hook/s3cret?key=t0ken", type: "application/json", body: '{"n":1}' },
    ]);
  });

  test("that says no is reported with at most a kilobyte of its answer, and without its address", async () => {
    await using r = receiver(
      (request) =>
        new Response(
          `no such hook: ${new URL(request.url).pathname} (${request.url}) ${"€".repeat(100_000)}`,
          { status: 404 },
        ),
    );
    const problem = (await post(r.url)) ?? "";
    expect(problem).toStartWith("answered 404: no such hook: ...");
    expect(problem).not.toMatch(/s3cret|t0ken/);
    expect(Buffer.byteLength(problem)).toBeLessThanOrEqual(1024 + 40);
  });

  test("whose answer never ends is cut off after its first kilobyte", async () => {
    await using r = receiver(
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(new TextEncoder().encode("x".repeat(2000)));
              return Bun.sleep(1);
            },
          }),
          { status: 500 },
        ),
    );
    expect(await post(r.url)).toBe(`answered 500: ${"x".repeat(1024)}`);
  });

  test("is not followed to where it redirects", async () => {
    await using other = receiver(() => new Response("ok"));
    for (const status of [301, 302, 303, 307, 308]) {
      await using r = receiver(() => new Response(null, { status, headers: { location: other.url } }));
      expect(await post(r.url)).toBe(`answered ${status}`);
    }
    expect(other.seen).toEqual([]);
  });

  test("that does not answer, or is not there, is reported without its address", async () => {
    await using r = receiver(() => new Promise(() => {}));
    expect(await post(r.url, 50)).toBe("did not answer within 0.05 s");
    const stop = new AbortController();
    const waiting = post(r.url, 5000, stop.signal);
    stop.abort();
    expect(await waiting).toBe("was cut off: the daemon is stopping");
    expect(await post("http://127.0.0.1:1/s3cret")).toMatch(/^could not be reached \(\w+\)$/);
    expect(await post("https://s3cret.invalid/x")).toMatch(/^could not be reached \(\w+\)$/);
  });
});
