import { expect, test } from "bun:test";
import { reviewerFor } from "../../src/review/choose-reviewer.ts";
import { tempDir } from "../support/temp.ts";

const by = (value: string) => ({ value, origin: "global" as const });

test("A09 D43 a job may name a reviewer that is missing only where a configured backup is there for it", () => {
  using dir = tempDir({ claude: "#!/bin/sh\n" });
  Bun.spawnSync(["chmod", "+x", dir.join("claude")]);
  const global = { codex_cmd: dir.join("codex"), claude_code_cmd: dir.join("claude") };
  expect(reviewerFor({ agent: by("codex"), backup: { agent: by("claude-code") } }, global)).toBe("codex");
  expect(reviewerFor({ agent: by("claude-code") }, global)).toBe("claude-code");
  for (const backup of ["codex", "nobody", "test"]) {
    const settings = { agent: by("codex"), backup: { agent: by(backup) } };
    expect(() => reviewerFor(settings, global), backup).toThrow("reviewer codex is not installed");
  }
  expect(() => reviewerFor({ agent: by("codex") }, global)).toThrow("reviewer codex is not installed");
  const unknown = { agent: by("nobody"), backup: { agent: by("claude-code") } };
  expect(() => reviewerFor(unknown, global)).toThrow("unknown reviewer");
});
