import { describe, expect, test } from "bun:test";
import { findEagerModules, findForbiddenImports } from "./check-imports.ts";
import {
  findBarrels,
  findForbiddenCode,
  findLongFiles,
  findUnfitNames,
  findUnfitText,
} from "./check-text.ts";
import { root, type SourceFile } from "./source.ts";

const file = (path: string, text: string): SourceFile => ({ path: `src/${path}`, text });
const forbidden = (path: string, text: string) => findForbiddenImports([file(path, text)]);

describe("the import table", () => {
  test.each([
    ["lib/text.ts", 'import { a } from "../fs/atomic.ts"; a();'],
    ["harness/claude.ts", 'import { a } from "../fs/atomic.ts"; a();'],
    ["reminder/policy.ts", 'import "node:path";'],
    ["reminder/policy.ts", 'import { Type } from "@sinclair/typebox"; Type.String();'],
    ["hook/run.ts", 'import { a } from "../client/daemon.ts"; a();'],
    ["hook/run.ts", 'import { a } from "../fs/atomic.ts"; a();'],
    ["hook/run.ts", 'const a = await import("node:fs"); a;'],
    ["store/jobs.ts", 'import { a } from "../git/exec.ts"; a();'],
    ["cli/main.ts", 'import { a } from "../store/jobs.ts"; a();'],
    ["cli/main.ts", 'const a = await import("../store/jobs.ts"); a;'],
    ["cli/main.ts", 'import { a } from "../daemon/app.ts"; a();'],
    ["cli/main.ts", 'export * from "../review/queue.ts";'],
    ["cli/main.ts", 'import { a } from "elysia"; a();'],
    ["main.ts", 'import { a } from "./cli/main.ts"; a();'],
    ["config/load.ts", 'import { parse } from "unheard-of"; parse();'],
    ["config/load.ts", 'import { readFile } from "fs"; readFile();'],
    ["config/load.ts", 'import { a } from "./parse"; a();'],
    ["config/load.ts", 'import { a } from "../../test/support/temp.ts"; a();'],
    ["plugins/a.ts", "export const a = 1;"],
    ["config/load.ts", 'import fs = require("../git/exec.ts"); fs.a();'],
  ])("catches %s: %s", (path, text) => {
    expect(forbidden(path, text)).toHaveLength(1);
  });

  test.each([
    ["cli/main.ts", 'import type { Job } from "../store/schema.ts"; export type A = Job;'],
    [
      "hook/run.ts",
      'import type { HookRequest } from "../daemon/api/hook-event.ts"; export type A = HookRequest;',
    ],
    ["hook/run.ts", 'import { post } from "../client/transport.ts"; post();'],
    ["cli/main.ts", 'export const run = () => import("../daemon/app.ts");'],
    ["main.ts", 'export const run = () => import("./cli/main.ts");'],
    ["store/open.ts", 'import { Database } from "bun:sqlite"; new Database();'],
    ["skills/list.ts", 'import fix from "./fix/SKILL.md" with { type: "text" }; export const a = fix;'],
  ])("allows %s: %s", (path, text) => {
    expect(forbidden(path, text)).toEqual([]);
  });

  test("follows static imports from an entry to any module, with the chain, and stops at import()", () => {
    const files = [
      file("main.ts", 'import { run } from "./hook/run.ts"; run(); import("./cli/main.ts");'),
      file(
        "hook/run.ts",
        'import { a } from "../lib/a.ts"; a(); import type { B } from "node:fs"; export type C = B;',
      ),
      file("lib/a.ts", 'import { join } from "node:path"; join(); import { b } from "./b.ts"; b();'),
      file("lib/b.ts", 'import { a } from "./a.ts"; a(); export * from "citty";'),
      file("cli/main.ts", 'import "node:fs";'),
    ];
    expect(findEagerModules(files, "src/main.ts")).toEqual([
      "main.ts → hook/run.ts → lib/a.ts → node:path",
      "main.ts → hook/run.ts → lib/a.ts → lib/b.ts → citty",
    ]);
  });
});

describe("the code rules", () => {
  test.each([
    ["review/queue.ts", "Bun.spawn(['ls']);"],
    ["cli/commands/init.ts", "Bun . spawnSync(['ls']);"],
    ["git/repo.ts", 'import { execFile } from "node:child_process"; execFile("a");'],
    ["git/exec.ts", "await Bun.$`ls`;"],
    ["git/exec.ts", "Bun.spawn(['/bin/sh', '-c', text]);"],
    ["lib/process.ts", 'run(["bash", "-lc", text]);'],
    ["cli/editor.ts", 'runAttached(["sh", "-c", text]);'],
    ["git/exec.ts", "run('a', { shell: true });"],
    ["git/exec.ts", 'import { spawn } from "bun"; spawn(["a"]);'],
    ["daemon/app.ts", "process.exit(1);"],
    ["hook/run.ts", "process.exit(0);"],
    ["daemon/app.ts", "console.log(1);"],
    ["hook/run.ts", "console.error(1);"],
    ["cli/commands/init.ts", "console['log'](1);"],
    ["lib/text.ts", "eval('1');"],
    ["daemon/review-hooks/shell.ts", "Bun.spawn(argv);"],
    ["daemon/app.ts", 'spawnGroup(["/bin/sh", "-c", command], run);'],
    ["hook/run.ts", "process.stdout.write('x');"],
    ["reminder/policy.ts", "export const now = Date.now();"],
    ["reminder/policy.ts", "export const now = new Date();"],
    ["reminder/policy.ts", "export const id = Math.random();"],
    ["reminder/policy.ts", "export const id = process.env.HOME;"],
    ["config/load.ts", "export default 1;"],
  ])("catch %s: %s", (path, text) => {
    expect(findForbiddenCode([file(path, text)])).toHaveLength(1);
  });

  test.each([
    ["git/exec.ts", "Bun.spawn(['git']);"],
    ["lib/process.ts", "Bun.spawn(argv);"],
    ["review/agents/child.ts", "Bun.spawn(argv);"],
    ["daemon/review-hooks/shell.ts", 'spawnGroup(["/bin/sh", "-c", command], run);'],
    ["cli/run-main.ts", "process.exit(1);"],
    ["hook/run.ts", "process.exitCode = 1;"],
    ["hook/output.ts", "console.log(1);"],
    ["daemon/app.ts", "// console.log and process.exit in a comment\nexport const a = 1;"],
    ["reminder/policy.ts", "export const at = new Date(text);"],
  ])("allow %s: %s", (path, text) => {
    expect(findForbiddenCode([file(path, text)])).toEqual([]);
  });
});

test("a long file is caught at its 301st line, the final newline not counted", () => {
  expect(findLongFiles([file("a.ts", "x\n".repeat(300))])).toEqual([]);
  expect(findLongFiles([file("a.ts", "x\n".repeat(301))])).toEqual(["src/a.ts: 301 lines, the limit is 300"]);
});

test.each([
  "git/gitUtils.ts",
  "git/utils.ts",
  "common/a.ts",
  "git/repo-helpers.ts",
  "a/index.ts",
  "a/Repo.ts",
  "a/b_c.ts",
])("the name %s is caught", (path) => {
  expect(findUnfitNames([file(path, "")])).toHaveLength(1);
});

test.each(["git/exec.ts", "tui/queue-view.tsx", "git/diff.test.ts", "harness/guards.gen.ts"])(
  "the name %s is fine",
  (path) => {
    expect(findUnfitNames([file(path, "")])).toEqual([]);
  },
);

test("unfinished work, paths of a machine and silenced type errors are caught", () => {
  const mark = ["TO", "DO"].join("");
  const text = findUnfitText([
    file("a.ts", `// ${mark}: later`),
    file("b.ts", 'const p = "/home/someone/roborev";'),
    file("c.ts", `const p = "${root}/x";`),
    file("d.ts", 'const todos = "/home/linuxbrew/.linuxbrew/bin"; const u = "https://x.example/home/a/";'),
    file("e.ts", `// ${["@ts", "ignore"].join("-")}\nexport const a = 1;`),
    { path: "test/a.test.ts", text: 'const p = "/home/someone/x";' },
  ]);
  expect(text.map((problem) => problem.split(":")[0])).toEqual([
    "src/a.ts",
    "src/b.ts",
    "src/c.ts",
    "src/e.ts",
  ]);
});

test("a barrel is caught, a file with a word of its own is not", () => {
  expect(
    findBarrels([file("git/all.ts", 'export * from "./a.ts";\nexport { b, c as d } from "./b.ts";')]),
  ).toHaveLength(1);
  expect(findBarrels([file("git/all.ts", 'export * from "./a.ts";\nexport const own = 1;')])).toEqual([]);
});
