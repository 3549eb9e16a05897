import { describe, expect, test } from "bun:test";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import { copilot } from "../../src/harness/copilot.ts";
import { cursor } from "../../src/harness/cursor.ts";
import { droid } from "../../src/harness/droid.ts";
import { gemini } from "../../src/harness/gemini.ts";
import { grok } from "../../src/harness/grok.ts";
import {
  configPath,
  explicitAgent,
  findOnPath,
  isDetected,
  selectHarnesses,
} from "../../src/install/detect.ts";
import { UsageError } from "../../src/lib/errors.ts";

const all = [claude, codex];
const world = (...paths: string[]) => ({
  isDirectory: (path: string) => paths.includes(`${path}/`),
  isExecutable: (path: string) => paths.includes(path),
  realPath: (path: string) => paths.find((other) => other.startsWith(`${path} -> `))?.split(" -> ")[1],
  versionText: (path: string) => paths.find((other) => other.startsWith(`${path}: `)),
});

describe("scenario 103: which agents an install is for", () => {
  const names = (agent: string | undefined, ...detected: string[]) =>
    selectHarnesses(agent, all, ({ name }) => detected.includes(name)).map(({ name }) => name);

  test("nothing named: those that are there, in the fixed order", () => {
    expect(names(undefined, "codex")).toEqual(["codex"]);
    expect(names(" ", "codex", "claude")).toEqual(["claude", "codex"]);
    expect(names(undefined)).toEqual([]);
  });

  test("the name of the reviewer means the same program", () => {
    expect(names("Claude-Code")).toEqual(["claude"]);
    expect(explicitAgent("grok-build")).toBe("grok");
    expect(() => names("claude-cod")).toThrow('unsupported agent hook integration "claude-cod"');
  });

  test("all, in any casing: every one, whether it is there or not", () => {
    expect(names("ALL")).toEqual(["claude", "codex"]);
  });

  test("one name, in any casing and with blanks: that one, whether it is there or not", () => {
    expect(names(" Codex ")).toEqual(["codex"]);
  });

  test("an unknown name is a usage error that lists the known ones", () => {
    expect(() => names("vim")).toThrow(UsageError);
    expect(() => names("vim")).toThrow('unsupported agent hook integration "vim"');
  });
});

describe("detection", () => {
  test("the program on PATH is enough, and so is the configuration directory", () => {
    const env = { HOME: "/h", PATH: "/bin" };
    expect(isDetected(codex, env, "/", world("/bin/codex"))).toBe(true);
    expect(isDetected(codex, env, "/", world("/h/.codex/"))).toBe(true);
    expect(isDetected(codex, env, "/", world("/h/.codex", "/bin/claude"))).toBe(false);
  });

  test("the harness's variable moves the directory; blank is unset", () => {
    expect(configPath(codex, { HOME: "/h", CODEX_HOME: " /c " }, "/")).toBe("/c/hooks.json");
    expect(configPath(codex, { HOME: "/h", CODEX_HOME: "  " }, "/")).toBe("/h/.codex/hooks.json");
    expect(configPath(claude, { HOME: "/h", CLAUDE_CONFIG_DIR: "rel" }, "/w")).toBe("/w/rel/settings.json");
  });

  test("variables that name the directory above it, and a blank one", () => {
    expect(configPath(gemini, { HOME: "/h", GEMINI_CLI_HOME: "/g" }, "/")).toBe("/g/.gemini/settings.json");
    expect(configPath(droid, { HOME: "/h", FACTORY_HOME_OVERRIDE: "/f" }, "/")).toBe(
      "/f/.factory/hooks.json",
    );
    expect(configPath(droid, { HOME: "/h", FACTORY_HOME_OVERRIDE: " " }, "/")).toBe("/h/.factory/hooks.json");
    expect(configPath(copilot, { HOME: "/h", COPILOT_HOME: "/c" }, "/")).toBe("/c/hooks/agenthook.json");
  });

  test("W19: the directory above a folder for hooks is enough", () => {
    const env = { HOME: "/h", PATH: "/bin" };
    expect(isDetected(copilot, env, "/", world("/h/.copilot/"))).toBe(true);
    expect(isDetected(grok, env, "/", world("/h/.grok/"))).toBe(true);
  });

  test("W19: an `agent` is Cursor's by its real path or by what it says of itself, and else somebody else's", () => {
    const env = { HOME: "/h", PATH: "/bin" };
    const there = (...paths: string[]) => isDetected(cursor, env, "/", world("/bin/agent", ...paths));
    expect(there()).toBe(false);
    expect(there("/bin/agent: 1.2.3")).toBe(false);
    expect(there("/bin/agent -> /opt/cursor-agent/versions/1/cursor-agent")).toBe(true);
    expect(there("/bin/agent: Cursor Agent 1.2.3")).toBe(true);
    expect(there("/h/.cursor/")).toBe(true);
  });

  test("relative PATH entries do not count", () => {
    expect(findOnPath("x", { PATH: ".::rel:/b" }, world("/b/x", "x", "rel/x"))).toBe("/b/x");
  });
});
