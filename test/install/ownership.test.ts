import { describe, expect, test } from "bun:test";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { isOurs } from "../../src/install/ownership.ts";

describe("scenario 109, G5: which registered commands are ours", () => {
  const { legacy: _, ...withoutLegacy } = codex;
  test.each<[string, Harness]>([
    ["/new/roborev agent-hook run --agent codex '--source=roborev-agent-hook'", codex],
    ["C:\\x\\roborev.exe agent-hook run --source=roborev-agent-hook --agent codex", codex],
    ["anything --source=roborev-agent-hook", withoutLegacy],
    ["'C:\\Program Files\\roborev.exe' agent-hook run --turn-threshold 3", codex],
    ["/old/bin/roborev agent-hook run --config /tmp/roborev.toml", claude],
    ["ROBOREV agent-hook run", claude],
  ])("%s: ours", (command, harness) => expect(isOurs(harness, command)).toBe(true));

  test.each<[string, Harness]>([
    ["/old/bin/roborev agent-hook run --agent droid", codex],
    ["/old/bin/roborev agent-hook run --agent=claude", claude],
    ["roborev agent-hook run --agent codex --source=roborev-agent-hook-dev", codex],
    ["roborev agent-hook run --agent codex --source roborev-agent-hook", codex],
    ['echo "--source=roborev-agent-hook is our marker"', codex],
    ["sh -c 'roborev agent-hook run'", codex],
    ["roborev agent-hook run | tee log", codex],
    ["roborev agent-hook run; x --source=roborev-agent-hook", codex],
    ["my-roborev agent-hook run", codex],
    ["roborev agent-hook status", codex],
    ["roborev", codex],
    ["", codex],
    ["/old/bin/roborev agent-hook run", withoutLegacy],
  ])("%s: somebody else's", (command, harness) => expect(isOurs(harness, command)).toBe(false));
});
