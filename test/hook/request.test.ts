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
