import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

const source = join(import.meta.dir, "../../src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Every module that runs before the hook has answered, and what they import that is not one of ours. */
function staticGraph(entry: string) {
  const modules = new Set<string>();
  const outside: string[] = [];
  const visit = (path: string) => {
    if (modules.has(path)) return;
    modules.add(path);
    for (const { path: specifier, kind } of transpiler.scanImports(readFileSync(path, "utf8"))) {
      if (kind === "dynamic-import" && path === entry) continue;
      if (specifier.startsWith(".")) visit(join(path, "..", specifier));
      else outside.push(`${relative(source, path)}: ${specifier}`);
    }
  };
  visit(entry);
  return { modules: [...modules].map((path) => relative(source, path)), outside };
}

test("the hook's path imports nothing but its own few modules: no node:, no package", () => {
  const { modules, outside } = staticGraph(join(source, "main.ts"));
  expect(outside).toEqual([]);
  const strangers = modules.filter(
    (path) => !/^(main\.ts$|hook\/|harness\/|lib\/|client\/(transport|endpoint|socket-path)\.ts$)/.test(path),
  );
  expect(strangers).toEqual([]);
  expect(modules.length).toBeGreaterThan(15);
});

test("no module of that path touches process.stdin, stdout or stderr, which load streams at first use", () => {
  const { modules } = staticGraph(join(source, "main.ts"));
  const users = modules.filter((path) =>
    /process\.(stdin|stdout|stderr)\b/.test(
      readFileSync(join(source, path), "utf8").replace(/^\s*\/\/.*$/gm, ""),
    ),
  );
  expect(users).toEqual([]);
});
