import type { ProgramKind } from "../program.ts";

export const copilot: ProgramKind = {
  name: "copilot",
  env: (port) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_MODEL: "stub-model",
    COPILOT_PROVIDER_API_KEY: "not-a-secret",
    COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
  }),
  configure() {},
  start: (prompt) => ["-p", prompt, "--allow-all-tools", "--no-color", "--silent"],
  reviewer: "copilot",
};
