import { join } from "node:path";
import type { ProgramKind } from "../program.ts";
import { writeConfig } from "./write.ts";

export const droid: ProgramKind = {
  name: "droid",
  env: () => ({}),
  configure({ config, port }) {
    const model = {
      model: "stub-model",
      displayName: "stub",
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: "not-a-secret",
      provider: "generic-chat-completion-api",
      maxOutputTokens: 4096,
    };
    writeConfig(join(config, "settings.json"), { customModels: [model] });
  },
  start: (prompt) => ["exec", "--auto", "medium", "-m", "custom:stub-model", prompt],
  // "Droid-Shield could not determine the Git repository safely", says 0.225.2 of anything else.
  commitsAlone: true,
};
