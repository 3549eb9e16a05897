import { Elysia } from "elysia";

/** What `bun run gen` wrote about the routes; read when somebody asks. */
export function openApiRoutes() {
  return new Elysia().get("/openapi.json", async () => (await import("../api/openapi.gen.json")).default);
}
