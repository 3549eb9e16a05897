import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { failureReason, RoborevError } from "../../lib/errors.ts";

/** A private, empty directory for a program that would load what it finds in a checkout. */
export interface Cell extends AsyncDisposable {
  /** Real path. */
  path: string;
  write(files: Record<string, string>): Promise<void>;
}

export async function makeCell(scratchDirectory = tmpdir()): Promise<Cell> {
  const path = await create(scratchDirectory);
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        const file = join(path, name);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeFile(file, content, { mode: 0o600 });
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

async function create(directory: string): Promise<string> {
  try {
    return await realpath(await mkdtemp(join(directory, "cell-")));
  } catch (cause) {
    throw new RoborevError(`cannot create a directory in ${directory}: ${failureReason(cause)}`, {
      code: "E_CHECKOUT",
      cause,
    });
  }
}

/** What the reviewer has to know when its working directory is not the checkout. */
export function placedPrompt(prompt: string, checkout: string): string {
  return `The repository under review is checked out in ${JSON.stringify(checkout)}. The working directory is another, empty one: read files of the repository by absolute path, and name them in findings relative to the repository.\n\n${prompt}`;
}
