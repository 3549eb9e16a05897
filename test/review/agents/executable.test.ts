import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findExecutable, searchPath } from "../../../src/review/agents/executable.ts";
import { tempDir } from "../../support/temp.ts";

function home(...programs: string[]) {
  const dir = tempDir(Object.fromEntries(programs.map((path) => [path, "#!/bin/sh\n"])));
  for (const path of programs) chmodSync(dir.join(path), 0o755);
  return dir;
}

test("A09 a minimal PATH still finds what the usual installers put below the home directory", () => {
  for (const place of [
    ...[".local/bin", ".bun/bin", ".volta/bin", ".local/share/mise/shims", ".claude/local"],
    ...[".opencode/bin", ".grok/bin", ".factory/bin", ".local/share/fnm/aliases/default/bin"],
  ]) {
    using dir = home(`${place}/agent-x`);
    expect(findExecutable("agent-x", { HOME: dir.path, PATH: "/usr/bin:/bin" })).toBe(
      dir.join(place, "agent-x"),
    );
  }
});

test("nvm's newest Node.js comes first", () => {
  using dir = home(".nvm/versions/node/v9.1.0/bin/agent-x", ".nvm/versions/node/v22.1.0/bin/agent-x");
  expect(findExecutable("agent-x", { HOME: dir.path })).toBe(
    dir.join(".nvm/versions/node/v22.1.0/bin/agent-x"),
  );
});

test("PATH comes first, and its relative and empty entries never count", () => {
  using dir = home("bin/agent-x", ".local/bin/agent-x");
  const env = { HOME: dir.path, PATH: `:.:bin:${dir.join("bin")}` };
  expect(findExecutable("agent-x", env)).toBe(dir.join("bin/agent-x"));
  expect(searchPath(env).every((path) => path.startsWith("/"))).toBe(true);
});

test("only an executable file counts, and a path must be absolute", () => {
  using dir = home("bin/agent-x");
  mkdirSync(dir.join("bin/folder"));
  const env = { HOME: dir.path, PATH: dir.join("bin") };
  chmodSync(dir.join("bin/agent-x"), 0o644);
  expect(findExecutable("agent-x", env)).toBeUndefined();
  expect(findExecutable("folder", env)).toBeUndefined();
  chmodSync(dir.join("bin/agent-x"), 0o755);
  expect(findExecutable("bin/agent-x", env)).toBeUndefined();
  expect(findExecutable("~/bin/agent-x", env)).toBe(join(dir.path, "bin/agent-x"));
  expect(findExecutable("", env)).toBeUndefined();
});

test("a name that several programs have is the one whose real path is right", () => {
  using dir = home("grok/agent", "share/cursor-agent/1/cursor-agent", "last/agent");
  mkdirSync(dir.join("bin"));
  symlinkSync(dir.join("share/cursor-agent/1/cursor-agent"), dir.join("bin/agent"));
  const env = { HOME: dir.path, PATH: [dir.join("grok"), dir.join("bin"), dir.join("last")].join(":") };
  expect(findExecutable("agent", env)).toBe(dir.join("grok/agent"));
  expect(findExecutable("agent", env, /cursor/)).toBe(dir.join("bin/agent"));
  expect(findExecutable("agent", { HOME: dir.path, PATH: dir.join("grok") }, /cursor/)).toBeUndefined();
});
