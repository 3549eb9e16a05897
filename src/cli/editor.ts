import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RoborevError } from "../lib/errors.ts";
import { splitCommand } from "../lib/shell-words.ts";
import type { World } from "./command.ts";

/** Lets the user write a text in `$VISUAL`, `$EDITOR` or vi; returns it without surrounding white space. */
export async function editText({ env, runAttached }: Pick<World, "env" | "runAttached">): Promise<string> {
  const editor = env.VISUAL?.trim() || env.EDITOR?.trim() || "vi";
  const split = splitCommand(editor);
  if ("error" in split || split.words.length === 0) {
    throw new RoborevError(`cannot use the editor ${editor}`, {
      code: "E_EDITOR",
      hint: "Set EDITOR to a program, or pass the text with --message.",
    });
  }
  const directory = await mkdtemp(join(tmpdir(), "roborev-comment-"));
  try {
    const file = join(directory, "COMMENT.md");
    await writeFile(file, "", { mode: 0o600 });
    const status = await runAttached([...split.words, file]);
    if (status !== 0) {
      throw new RoborevError(`the editor ended with status ${status}`, {
        code: "E_EDITOR",
        hint: "Nothing was sent.",
      });
    }
    return (await readFile(file, "utf8")).trim();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
