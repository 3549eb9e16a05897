import type { ProgramKind } from "../program.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import { grok } from "./grok.ts";
import { qwen } from "./qwen.ts";

/** The programs that are driven as harnesses, in the order of the page. */
export const programKinds: readonly ProgramKind[] = [claude, codex, copilot, droid, gemini, qwen, grok];
