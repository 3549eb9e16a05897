import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TempDir extends Disposable {
  path: string;
  join(...parts: string[]): string;
}

/** A directory that is gone at the end of the scope: `using dir = tempDir({ "a/b.txt": "text" })`. */
export function tempDir(files: Record<string, string> = {}): TempDir {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "roborev-test-")));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return {
    path,
    join: (...parts) => join(path, ...parts),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
