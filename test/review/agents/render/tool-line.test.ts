import { expect, test } from "bun:test";
import { toolLine } from "../../../../src/review/agents/render/tool-line.ts";
import type { JsonObject } from "../../../../src/review/agents/stream/parser.ts";

const line = (name: string, input: JsonObject = {}) => {
  const { name: shown, detail } = toolLine({ name, input });
  return `${shown} ${detail}`.trim();
};

test.each([
  ["Read", { file_path: "a.ts" }, "Read a.ts"],
  ["read_file", { target_file: "a.ts" }, "Read a.ts"],
  ["view", { path: "a.ts" }, "Read a.ts"],
  ["READ", { filePath: "a.ts" }, "Read a.ts"],
  ["MultiEdit", { filePath: "a.ts", edits: [] }, "Edit a.ts"],
  ["str_replace", { path: "a.ts" }, "Edit a.ts"],
  ["write_file", { absolute_path: "/a.ts", content: "text" }, "Write /a.ts"],
  ["run_shell_command", { command: "go test", description: "tests" }, "Bash go test"],
  ["Execute", { command: "ls" }, "Bash ls"],
  ["shell", { command: ["git", "diff"] }, "Bash git diff"],
  ["grep_search", { pattern: "a+", dir_path: "src" }, "Grep a+ in src"],
  ["Grep", { pattern: "a+", path: "src" }, "Grep a+ in src"],
  ["glob", { pattern: "**/*.ts" }, "Glob **/*.ts"],
  ["list_directory", { dir_path: "src" }, "List src"],
  ["LS", { directory_path: "src" }, "List src"],
  ["web_fetch", { url: "https://x.test" }, "WebFetch https://x.test"],
  ["google_web_search", { query: "bun" }, "WebSearch bun"],
  ["browser.open", { name: "tab" }, "browser.open tab"],
  ["Read", {}, "Read"],
  ["", {}, "tool"],
] as [string, JsonObject, string][])("%s %j is shown as %s", (name, input, expected) => {
  expect(line(name, input)).toBe(expected);
});

test("a command is cut at 80 characters, a path from its beginning", () => {
  const command = line("Bash", { command: "\u{1f600}".repeat(200) });
  expect(command).toBe(`Bash ${"\u{1f600}".repeat(79)}…`);
  const path = line("Read", { path: `/${"deep/".repeat(50)}file.ts` });
  expect(path).toStartWith("Read …");
  expect(path).toEndWith("/file.ts");
  expect([...path]).toHaveLength("Read ".length + 80);
});

test("the shell that a program wraps its commands in is left out", () => {
  expect(line("Bash", { command: `/bin/bash -lc "cat 'a b' \\"c\\""` })).toBe(`Bash cat 'a b' "c"`);
  expect(line("Bash", { command: "bash -lc 'go test'" })).toBe("Bash go test");
  expect(line("Bash", { command: "/bin/zsh -c ls" })).toBe("Bash ls");
  expect(line("Bash", { command: "bash script.sh -lc x" })).toBe("Bash bash script.sh -lc x");
  expect(line("Bash", { command: "bash -lc 'a' && 'b'" })).toBe("Bash 'a' && 'b'");
});

test("hostile names and inputs stay on their line", () => {
  expect(line(`a\nb\u001b[2J${"x".repeat(200)}`)).toHaveLength(80);
  expect(line("Bash", { command: "a\n\u202eb\u0007" })).toBe("Bash a b");
  expect(line("Bash", { command: { nested: true } })).toBe("Bash");
  expect(line("__proto__", { __proto__: null, constructor: "x" })).toBe("__proto__");
});
