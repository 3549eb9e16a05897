import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Value } from "@sinclair/typebox/value";
import { HealthStatusSchema } from "../../src/daemon/api/health.ts";
import { DaemonStatusSchema, PingSchema, ReposResponseSchema } from "../../src/daemon/api/responses.ts";
import { testDaemon } from "../support/daemon.ts";
import { tempDir } from "../support/temp.ts";
import { apiPagePath, openApi, openApiPath, openApiText, withRoutes } from "./openapi.ts";
import { routeEntries } from "./routes.ts";

test("the description of the routes is what their schemas say; if not, run `bun run gen`", () => {
  expect(readFileSync(openApiPath, "utf8")).toBe(openApiText());
});

test("the table of routes in docs/api.md is complete; if not, run `bun run gen`", () => {
  const page = readFileSync(apiPagePath, "utf8");
  expect(page).toBe(withRoutes(page));
});

test("the daemon serves the description, behind the guard, and every reference in it leads somewhere", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const { status, body } = await daemon.get("/openapi.json");
  expect([status, body as object]).toEqual([200, JSON.parse(readFileSync(openApiPath, "utf8"))]);
  const refs = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  const named = new Set([...refs].map(([, name]) => name as string));
  expect([...named].sort()).toEqual(Object.keys(openApi().components.schemas).sort());
  const refused = await daemon.request("GET", "/openapi.json", { headers: { origin: "http://localhost" } });
  expect(refused.status).toBe(403);
});

test("parameters and bodies are described as the routes check them", () => {
  const { paths } = openApi();
  expect(paths["/api/job/log"]).toMatchObject({
    get: {
      parameters: [
        { name: "job_id", in: "query", required: true, schema: { pattern: "^[1-9]\\d{0,14}$" } },
        { name: "offset", in: "query", required: false },
      ],
      responses: { 200: { content: { "text/plain": {} } } },
    },
  });
  expect(paths["/api/enqueue"]).toMatchObject({
    post: {
      requestBody: { content: { "application/json": { schema: { required: ["repo_path"] } } } },
      responses: { 201: {} },
    },
  });
});

test("answers are as they are described, also where nothing checks them on their way", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  for (const [path, schema] of [
    ["/api/ping", PingSchema],
    ["/api/status", DaemonStatusSchema],
    ["/api/health", HealthStatusSchema],
    ["/api/repos", ReposResponseSchema],
  ] as const) {
    const { body } = await daemon.get(path);
    expect([path, ...Value.Errors(schema, body)]).toEqual([path]);
  }
});

test("a route that takes nothing refuses nothing: every GET route answers a request without parameters, if only with what it lacks", async () => {
  using dir = tempDir();
  await using daemon = await testDaemon(dir.path);
  const streams = ["/api/stream/events"];
  for (const { method, path, query } of routeEntries()) {
    if (method !== "GET" || streams.includes(path)) continue;
    const { status } = await daemon.request("GET", path);
    const isAsked = (query as { required?: string[] } | undefined)?.required !== undefined;
    expect([path, status]).toEqual([
      path,
      isAsked || ["/api/review", "/api/comments"].includes(path) ? 400 : 200,
    ]);
  }
});
