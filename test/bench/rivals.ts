import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../build/compile.ts";
import type { Candidate } from "./measure.ts";
import type { Scene } from "./scene.ts";

const directory = join(import.meta.dir, "rivals");

/** The round trip of our hook as others would write it. Which of them could not be had, and why, is told by name. */
export function rivals(
  scene: Scene,
  base: Omit<Candidate, "name" | "argv">,
): { candidates: Candidate[]; absent: string[] } {
  const absent: string[] = [];
  const candidates: Candidate[] = [];
  const add = (name: string, needs: string[], argv: () => string[] | undefined) => {
    const missing = needs.filter((program) => Bun.which(program) === null);
    const found = missing.length === 0 ? argv() : undefined;
    if (found) candidates.push({ ...base, name, argv: found });
    else
      absent.push(
        `${name}: ${missing.length > 0 ? `${missing.join(", ")} is not installed` : "does not compile"}`,
      );
  };
  add("Node script", ["node"], () => [Bun.which("node") as string, join(directory, "hook.cjs")]);
  add("bash, jq and curl", ["bash", "jq", "curl"], () => ["bash", join(directory, "hook.sh")]);
  const compiler = ["cc", "gcc", "clang"].find((name) => Bun.which(name) !== null) ?? "cc";
  add("C program", [compiler], () => {
    const program = join(scene.place, "hook-c");
    const run = Bun.spawnSync([compiler, "-O2", "-o", program, join(directory, "hook.c")]);
    return run.exitCode === 0 ? [program] : undefined;
  });
  return { candidates, absent };
}

/** Programs compiled as ours is that do the least of what it does: how much of its time is Bun's own. */
export async function bareBun(
  scene: Scene,
  base: Omit<Candidate, "name" | "argv">,
  stdin: { reads: string; asks: string },
): Promise<[reads: Candidate, asks: Candidate]> {
  const candidate = async (name: "reads" | "asks"): Promise<Candidate> => {
    const [built, program] = [join(scene.place, `built-${name}`), join(scene.place, name)];
    await compile({ entry: join(directory, `${name}.ts`), outfile: built, version: "0" });
    copyFileSync(built, program);
    return { ...base, name: `Bun program that only ${name}`, argv: [program], stdin: stdin[name] };
  };
  return [await candidate("reads"), await candidate("asks")];
}
