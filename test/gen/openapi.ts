import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { ErrorBodySchema } from "../../src/daemon/api/responses.ts";
import { apiVersion } from "../../src/lib/version.ts";
import { CommentSchema, JobSchema, RepoSchema, ReviewFindingSchema } from "../../src/store/schema.ts";
import { formatted } from "./format.ts";
import { type RouteEntry, routeEntries } from "./routes.ts";

// Part of `bun run gen`: writes the description of the daemon's routes, for programs and for docs/api.md.

const root = join(import.meta.dir, "..", "..");
export const openApiPath = join(root, "src", "daemon", "api", "openapi.gen.json");
export const apiPagePath = join(root, "docs", "api.md");

/** Written once and referred to. */
const named: Record<string, TSchema> = {
  Job: JobSchema,
  Finding: ReviewFindingSchema,
  Comment: CommentSchema,
  Repo: RepoSchema,
  Error: ErrorBodySchema,
};
/** Elysia writes into the schemas at the first request that unknown fields are left out; they are no mistake. */
const textOf = (schema: unknown): string =>
  JSON.stringify(schema, (key, value) =>
    key === "additionalProperties" && value === false ? undefined : value,
  );
const names = new Map(Object.entries(named).map(([name, schema]) => [textOf(schema), name]));

/** A schema with references to what has a name; TypeBox writes JSON Schema, which OpenAPI 3.1 takes as it is. */
function referring(value: unknown, isNamed = false): unknown {
  if (typeof value !== "object" || value === null) return value;
  const name = isNamed ? undefined : names.get(textOf(value));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(value)) return value.map((item) => referring(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, referring(item)]));
}

const text = { type: "string" };

function operation({ summary, status = 200, answer, type, also, query, body }: RouteEntry) {
  const json = answer === undefined ? { type: "object" } : referring(answer);
  const content = {
    [type ?? "application/json"]: { schema: type === undefined ? json : text },
    ...(also === undefined ? {} : { [also.type]: { schema: referring(also.answer) } }),
  };
  const required = new Set((query as { required?: string[] } | undefined)?.required);
  const parameters = Object.entries((query?.properties ?? {}) as Record<string, TSchema>).map(
    ([name, schema]) => ({ name, in: "query", required: required.has(name), schema: referring(schema) }),
  );
  return {
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: referring(body) } } } }),
    responses: {
      [status]: { description: summary, content },
      default: {
        description: "Why not",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

/** The document that the daemon serves. */
export function openApi(entries = routeEntries()) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const entry of entries) {
    paths[entry.path] = { ...paths[entry.path], [entry.method.toLowerCase()]: operation(entry) };
  }
  const schemas = Object.entries(named).map(([name, schema]) => [name, referring(schema, true)]);
  return {
    openapi: "3.1.0",
    info: { title: "roborev daemon", version: String(apiVersion) },
    servers: [{ url: "http://localhost", description: "On the daemon's Unix socket" }],
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  };
}

export const openApiText = (): string =>
  formatted(openApiPath, JSON.stringify(JSON.parse(textOf(openApi())), undefined, 2));

/** The page with its table of routes, which begins with these columns, replaced. */
export function withRoutes(page: string): string {
  const rows = [
    ["Route", "What"],
    ...routeEntries().map(({ method, path, summary }) => [`\`${method} ${path}\``, summary]),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  lines.splice(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  const table = /^\| Route +\| What +\|\n(?:\|.*\n)+/m;
  if (!table.test(page)) throw new Error("docs/api.md has no table of routes");
  return page.replace(table, () => `${lines.join("\n")}\n`);
}

if (import.meta.main) {
  writeFileSync(openApiPath, openApiText());
  writeFileSync(apiPagePath, withRoutes(readFileSync(apiPagePath, "utf8")));
}
