import { expect, test } from "bun:test";
import { eventDirectory } from "../../../src/daemon/agent-hook/directory.ts";

const at = (cwd?: string, tool_directory?: string) =>
  eventDirectory(
    {
      event: "PostToolUse",
      session_id: "s",
      ...(cwd === undefined ? {} : { cwd }),
      ...(tool_directory === undefined ? {} : { tool_directory }),
    } as never,
    (path) => path.startsWith("/r"),
  );

test("a directory that no file system can have is none, and a step that is none is ignored", () => {
  expect(at("/r/\0x")).toBeUndefined();
  expect(at("r")).toBeUndefined();
  expect(at()).toBeUndefined();
  expect(at("/r", "sub\0")).toBe("/r");
  expect(at("/r", "../else")).toBe("/r");
  expect(at("/r", "sub")).toBe("/r/sub");
});
