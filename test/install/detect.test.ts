import { describe, expect, test } from "bun:test";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import { configPath, findOnPath, isDetected, selectHarnesses } from "../../src/install/detect.ts";
import { UsageError } from "../../src/lib/errors.ts";

const all = [claude, codex];
const world = (...paths: string[]) => ({
  isDirectory: (path: string) => paths.includes(`${path}/`),
  isExecutable: (path: string) => paths.includes(path),
});

describe("scenario 103: which agents an install is for", () => {
  const names = (agent: string | undefined, ...detected: string[]) =>
    selectHarnesses(agent, all, ({ name }) => detected.includes(name)).map(({ name }) => name);

  test("nothing named: those that are there, in the fixed order", () => {
    expect(names(undefined, "codex")).toEqual(["codex"]);
    expect(names(" ", "codex", "claude")).toEqual(["claude", "codex"]);
    expect(names(undefined)).toEqual([]);
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

  test("relative PATH entries do not count", () => {
    expect(findOnPath("x", { PATH: ".::rel:/b" }, world("/b/x", "x", "rel/x"))).toBe("/b/x");
  });
});
