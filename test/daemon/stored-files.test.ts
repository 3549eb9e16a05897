import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { dataPaths } from "../../src/config/paths.ts";
import { checkStoredFiles } from "../../src/daemon/stored-files.ts";
import { tempDir } from "../support/temp.ts";

test("a pipe in the place of a file is told of, and nobody waits for it", async () => {
  using dir = tempDir();
  const paths = dataPaths(dir.path);
  mkdirSync(dirname(paths.hookState), { recursive: true });
  expect(Bun.spawnSync(["mkfifo", paths.hookState, paths.database]).exitCode).toBe(0);
  expect(await checkStoredFiles(paths)).toEqual({
    database: { state: "unreadable", problem: "it is not a regular file" },
    hookState: { state: "damaged", problem: `${paths.hookState} is no regular file` },
  });
});
