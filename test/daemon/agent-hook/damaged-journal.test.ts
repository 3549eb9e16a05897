import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { dataPaths } from "../../../src/config/paths.ts";
import { batchLine, generationLine } from "../../../src/store/hook-state/journal.ts";
import { testDaemon } from "../../support/daemon.ts";
import { tempDir } from "../../support/temp.ts";

test("a journal damaged in its middle does not stop a start, and status says once what was dropped", async () => {
  using dir = tempDir();
  await (await testDaemon(dir.path))[Symbol.asyncDispose]();
  const { hookJournal, hookState } = dataPaths(dir.path);
  const { generation } = JSON.parse(readFileSync(hookState, "utf8"));
  const [one, two] = [1, 2].map((count) => batchLine({ sessions: { "claude:s1": { count } } }));
  writeFileSync(hookJournal, `${generationLine(generation)}${one}${two?.replace("2}", "7}")}${two}`);
  const status = async () => {
    await using daemon = await testDaemon(dir.path);
    const { sessions } = (await daemon.get("/api/agent-hook/sessions")).body as { sessions: object };
    const { recent_errors: errors, healthy } = (await daemon.get("/api/status")).body as {
      recent_errors: { component: string; message: string }[];
      healthy: boolean;
    };
    expect([sessions, healthy]).toEqual([{ "claude:s1": { count: 1 } }, true]);
    return errors.map(({ component, message }) => `${component}: ${message}`);
  };
  expect(await status()).toEqual([
    expect.stringMatching(
      /^agent_hook: .*state\.journal was damaged at byte \d+: its last \d+ bytes were dropped, and the whole file kept as .*state\.journal\.damaged-[\dT-]+Z$/,
    ),
  ]);
  expect(await status()).toEqual([]);
});
