import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { HookEventSchema } from "../../src/daemon/api/canonical-event.ts";
import { HookAnswerSchema } from "../../src/daemon/api/hook-event.ts";
import { formatted } from "./format.ts";

// bun run gen           writes src/hook/guards.gen.ts
// bun run gen --check   only says whether it is up to date, by its exit status

const root = join(import.meta.dir, "..", "..");
export const guardsPath = join(root, "src", "hook", "guards.gen.ts");

interface Guard {
  type: string;
  from: string;
  schema: TSchema;
}

const guards: Guard[] = [
  { type: "HookEvent", from: "../daemon/api/canonical-event.ts", schema: HookEventSchema },
  { type: "HookAnswerBody", from: "../daemon/api/hook-event.ts", schema: HookAnswerSchema },
];

/** The hook's guards as TypeScript without a package, which the hook could not afford to load. */
export function renderGuards(): string {
  return formatted(
    guardsPath,
    [
      "// Made by `bun run gen` from the schemas that it names. Do not edit.",
      ...guards.map(({ type, from }) => `import type { ${type} } from "${from}";`),
      "",
      ...guards.map(renderGuard),
    ].join("\n"),
  );
}

function renderGuard({ type, schema }: Guard): string {
  const body = /^return function check\(value: any\): boolean \{\n([\s\S]*)\n\}$/.exec(
    TypeCompiler.Code(schema, { language: "typescript" }).trim(),
  )?.[1];
  // A guard with helpers, for references or patterns, needs more than this file writes.
  if (body === undefined) throw new Error(`the guard of ${type} is not one plain function`);
  return [
    `export function is${type}(input: unknown): input is ${type} {`,
    "  const value = input as Record<string, unknown>;",
    body.replace(/value\['(\w+)'\]/g, "value.$1").replaceAll("'", '"'),
    "}",
    "",
  ].join("\n");
}

if (import.meta.main) {
  const [mode] = process.argv.slice(2);
  if (mode !== undefined && mode !== "--check") throw new Error(`unknown argument ${mode}`);
  const text = renderGuards();
  if (mode === undefined) writeFileSync(guardsPath, text);
  else if (readFileSync(guardsPath, "utf8") !== text) {
    console.error("src/hook/guards.gen.ts is not what its schemas say; run bun run gen");
    process.exitCode = 1;
  }
}
