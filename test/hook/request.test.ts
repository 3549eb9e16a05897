import { expect, test } from "bun:test";
import { hookRequest } from "../../src/hook/request.ts";

const stepsWith = (HOME: string | undefined, ...directories: string[]) =>
  hookRequest(
    { event: "PostToolUse", nativeEvent: "PostToolUse", sessionId: "s" },
    { verb: "commit", directories },
    { agent: "claude" },
    { env: { HOME }, cwd: () => "/r" },
  ).event.commit?.directories;

test("`~` is HOME; where that does not tell, as on Windows, the daemon finds the home directory", () => {
  expect(stepsWith("/home/dev", "~", "~/a", "./~", "b")).toEqual(["/home/dev", "/home/dev/a", "./~", "b"]);
  expect(stepsWith("C:\\Users\\dev", "~/a")).toEqual(["~/a"]);
  expect(stepsWith(undefined, "~")).toEqual(["~"]);
});

test("where the harness keeps its configuration is told only where a variable moves it", () => {
  const asked = (env: Record<string, string | undefined>, variable?: string) =>
    hookRequest(
      { event: "Stop", nativeEvent: "Stop", sessionId: "s" },
      undefined,
      { agent: "claude" },
      { env, cwd: () => "/r" },
      undefined,
      variable,
    ).config_directory;
  expect(asked({ CLAUDE_CONFIG_DIR: "/c" }, "CLAUDE_CONFIG_DIR")).toBe("/c");
  expect(asked({ CLAUDE_CONFIG_DIR: "/c" })).toBeUndefined();
  expect(asked({}, "CLAUDE_CONFIG_DIR")).toBeUndefined();
  expect(asked({ CLAUDE_CONFIG_DIR: "x".repeat(5000) }, "CLAUDE_CONFIG_DIR")).toBeUndefined();
});
