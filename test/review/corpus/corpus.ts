import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dirtyDiffOf } from "../../../src/review/dirty-diff.ts";
import type { PromptInput } from "../../../src/review/prompt/input.ts";
import type { Severity } from "../../../src/store/schema.ts";
import { sampleInput } from "../prompt/sample.ts";

/** A defect that was put into a diff on purpose, and a piece of the changed line that shows it. */
export interface Fault {
  path: string;
  line: number;
  severity: Severity;
  mark: string;
  problem: string;
  fix: string;
}

export interface Sample {
  name: string;
  diff: string;
  /** Absent: there is nothing to find. */
  fault?: Fault;
}

const faults = JSON.parse(readFileSync(join(import.meta.dir, "faults.json"), "utf8")) as Record<
  string,
  Fault
>;

const read = (folder: string): Sample[] =>
  readdirSync(join(import.meta.dir, folder))
    .toSorted()
    .map((file) => ({
      name: file.replace(/\.diff$/, ""),
      diff: readFileSync(join(import.meta.dir, folder, file), "utf8"),
    }));

export const faulty: (Sample & { fault: Fault })[] = read("faulty").map((sample) => {
  const fault = faults[sample.name];
  if (!fault) throw new Error(`faults.json has no ${sample.name}`);
  return { ...sample, fault };
});
export const clean: Sample[] = read("clean");

export const inputOf = ({ diff }: Sample, changes: Partial<PromptInput> = {}): PromptInput =>
  sampleInput({ diff: dirtyDiffOf(diff), ...changes });
