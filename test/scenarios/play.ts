import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { setStage } from "./stage.ts";
import {
  matches,
  parseTranscript,
  type Result,
  renderResult,
  type Step,
  updateTranscript,
} from "./transcript.ts";

// UPDATE_SCENARIOS=1 writes what happens into the transcripts. Read the difference as a user would.
const update = process.env.UPDATE_SCENARIOS === "1";

/** Plays a transcript; fails at the first command that says something else. `mount`: see stage.ts. */
export async function playTranscript(file: string, mount?: string): Promise<void> {
  const text = readFileSync(file, "utf8");
  const transcript = parseTranscript(text);
  await using stage = await setStage(transcript, mount);
  const results = new Map<Step, Result>();
  const shown = (step: Step, result: Result) =>
    [`${basename(file)}:${step.at}`, `$ ${step.command}`, ...renderResult(result)].join("\n");
  for (const step of transcript.steps) {
    const result = await stage.run(step.command);
    results.set(step, result);
    if (!update && !matches(step, result)) expect(shown(step, result)).toBe(shown(step, step));
  }
  if (update) writeFileSync(file, updateTranscript(text, results));
}

/** The promise that a transcript's name makes. */
export const promiseOf = (file: string): string => basename(file, ".txt").replaceAll("-", " ");
