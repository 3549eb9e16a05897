import { join } from "node:path";
import type { ProgramKind } from "../program.ts";
import { writeConfig } from "./write.ts";

export const qwen: ProgramKind = {
  name: "qwen",
  // Else it starts itself twice, for a larger heap.
  env: () => ({ QWEN_CODE_NO_RELAUNCH: "true" }),
  configure({ config, port }) {
    writeConfig(join(config, "settings.json"), {
      $version: 4,
      security: {
        auth: {
          selectedType: "openai",
          apiKey: "not-a-secret",
          baseUrl: `http://127.0.0.1:${port}/v1`,
        },
      },
      model: { name: "stub-model" },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    });
  },
  start: (prompt) => ["--yolo", "-p", prompt],
  readsTexts: true,
  reviewer: "qwen",
};
