import { expect, test } from "bun:test";
import { routeEntries } from "../gen/routes.ts";
import { testDaemon } from "../support/daemon.ts";
import { storeReview } from "../support/reviews.ts";
import { tempDir } from "../support/temp.ts";

async function scene() {
  const dir = tempDir();
  const daemon = await testDaemon(dir.path);
  const { store } = daemon.parts.services;
  const repoId = store.repos.getOrCreate({ rootPath: "/r", name: "r", identity: "r" }).id;
  storeReview(store, { repoId, gitRef: "a".repeat(40) });
  return {
    ...{ daemon, store },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

test("G23 every route stands behind the guard: of 400 requests of strangers none is answered and none changes anything", async () => {
  await using s = await scene();
  const before = s.store.changes();
  const strangers: [Record<string, string>, number][] = [
    [{ host: "evil.example" }, 421],
    [{ host: "localhost:7373" }, 421],
    [{ host: "127.0.0.1" }, 421],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-origin" }, 403],
    [{ "x-forwarded-for": "10.0.0.1" }, 403],
    [{ forwarded: "for=10.0.0.1" }, 403],
  ];
  let count = 0;
  for (const { method, path } of routeEntries()) {
    for (const [headers, status] of strangers) {
      const body = method === "POST" ? { body: '{"job_id":1,"closed":true}' } : {};
      const response = await s.daemon.request(method, path, { headers, ...body });
      expect([path, headers, response.status]).toEqual([path, headers, status]);
      count++;
    }
  }
  expect(count).toBeGreaterThan(400);
  expect([s.store.changes(), s.daemon.stops]).toEqual([before, 0]);
});

test("no body and no parameter of a stranger's making is an internal error on any route", async () => {
  await using s = await scene();
  const before = s.store.changes();
  const bodies = ["[]", "null", '"x"', "1", "{", ""];
  const values = [
    "",
    "0",
    "-1",
    "1.5",
    "9".repeat(400),
    "%00",
    "..%2f..%2f1",
    "%ff%fe",
    "x".repeat(5000),
    "%F0%9F%92%A9",
  ];
  for (const { method, path, query } of routeEntries()) {
    if (method === "POST") {
      for (const body of bodies) {
        const { status } = await s.daemon.request("POST", path, { body });
        expect([path, body, status]).toEqual([path, body, 400]);
      }
      continue;
    }
    for (const name of Object.keys(query?.properties ?? {})) {
      for (const value of values) {
        const response = await s.daemon.request("GET", `${path}?${name}=${value}`);
        expect([path, name, value, response.status < 500]).toEqual([path, name, value, true]);
        await response.body?.cancel();
      }
    }
  }
  expect([s.store.changes(), s.daemon.stops, s.daemon.errors.recent()]).toEqual([before, 0, []]);
});
