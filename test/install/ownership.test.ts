import { describe, expect, test } from "bun:test";
import { claude } from "../../src/harness/claude.ts";
import { codex } from "../../src/harness/codex.ts";
import { droid } from "../../src/harness/droid.ts";
import { gemini } from "../../src/harness/gemini.ts";
import { grok } from "../../src/harness/grok.ts";
import type { Harness } from "../../src/harness/harness.ts";
import { qwen } from "../../src/harness/qwen.ts";
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
    ["/old/bin/roborev agent-hook run --config /tmp/x.toml --agent=droid", droid],
    ["roborev agent-hook run --agent Droid", droid],
    ["/old/roborev droid-hook run", droid],
    ["/old/roborev droid-hook run --turn-threshold 3 --agent droid", droid],
    ["roborev.exe agent-hook run --agent grok", grok],
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
    ["/old/bin/roborev agent-hook run", droid],
    ["roborev agent-hook run --agent droid --agent droid", droid],
    ["roborev droid-hook run --agent codex", droid],
    ["roborev droid-hook run", codex],
    ["roborev droid-hook status", droid],
    ["roborev agent-hook run", grok],
    ["roborev agent-hook run --agent claude", grok],
    ["roborev agent-hook run --agent gemini || echo '{}'", gemini],
    ["roborev agent-hook run --agent qwen", qwen],
  ])("%s: somebody else's", (command, harness) => expect(isOurs(harness, command)).toBe(false));
});
