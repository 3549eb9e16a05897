import { join } from "node:path";
import type { ProgramKind } from "../program.ts";
import { writeConfig } from "./write.ts";

export const grok: ProgramKind = {
  name: "grok",
  env: () => ({ XAI_API_KEY: "not-a-secret", GROK_TELEMETRY_ENABLED: "0", GROK_DISABLE_AUTOUPDATER: "1" }),
  configure({ config, port }) {
    const lines = [
      `[model.stub-model]\nmodel = "stub-model"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key = "stub"`,
      'api_backend = "chat_completions"\ncontext_window = 200000\n[models]\ndefault = "stub-model"',
    ];
    writeConfig(join(config, "config.toml"), `${lines.join("\n")}\n`);
  },
  start: (prompt) => ["-p", prompt, "--yolo", "--no-auto-update"],
  dropsContext: ["1.0.5"],
  // It has a title written with the session's own tools on offer.
  sideMark: "<system-reminder>Write an ultra-short",
};
