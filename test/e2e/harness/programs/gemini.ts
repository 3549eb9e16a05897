import { join } from "node:path";
import type { ProgramKind } from "../program.ts";
import { writeConfig } from "./write.ts";

export const gemini: ProgramKind = {
  name: "gemini",
  env: (port) => ({
    GEMINI_API_KEY: "not-a-secret",
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    // Else it starts itself twice, for a larger heap.
    GEMINI_CLI_NO_RELAUNCH: "true",
  }),
  configure({ config, repo }) {
    writeConfig(join(config, "settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    });
    // In a folder that nobody trusts it runs no hook and does not even start.
    writeConfig(join(config, "trustedFolders.json"), { [repo]: "TRUST_FOLDER" });
  },
  start: (prompt) => ["--yolo", "-p", prompt],
  readsTexts: true,
  forgets: true,
  reviewer: "gemini",
};
