import { expect, test } from "bun:test";
import { claude } from "../../../src/harness/claude.ts";
import { choiceOf } from "../../../src/install/doctor/choice.ts";

const entry = (command: string) => ({
  event: "Stop",
  matcher: undefined,
  command,
  timeout: undefined,
  ours: true,
});

test("no time-out beside our mark was chosen; that of a release that wrote none was not", () => {
  const marked = "/opt/roborev agent-hook run --agent claude '--source=roborev-agent-hook'";
  expect(choiceOf(claude, [entry(marked)]).timeout).toBe("0");
  expect(choiceOf(claude, [entry("/opt/roborev agent-hook run --agent claude")]).timeout).toBe("10s");
});
