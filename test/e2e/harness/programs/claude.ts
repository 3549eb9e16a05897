import { join } from "node:path";
import type { ProgramKind } from "../program.ts";
import { writeConfig } from "./write.ts";

export const claude: ProgramKind = {
  name: "claude",
  env: (port) => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "not-a-secret",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  }),
  configure: ({ config }) =>
    writeConfig(join(config, "settings.json"), {
      permissions: { allow: ["Bash", "Task", "Agent", "Skill"] },
    }),
  start: (prompt) => ["-p", "--model", "sonnet", prompt],
  resume: (prompt) => ["-p", "--model", "sonnet", "--continue", prompt],
  readsTexts: true,
  reviewer: "claude-code",
};
