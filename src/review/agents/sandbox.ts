import type { GlobalConfig } from "../../config/schema.ts";
import type { Reviewer } from "./reviewer.ts";

/** Whether the user has switched off the sandbox that a reviewer's program brings along; nobody else can. */
export const isSandboxOff = ({ sandboxSwitch }: Reviewer, global: GlobalConfig): boolean =>
  sandboxSwitch !== undefined && global[sandboxSwitch] === true;
