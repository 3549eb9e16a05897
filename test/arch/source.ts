import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface SourceFile {
  /** Below the root, with forward slashes: `src/git/exec.ts`. */
  path: string;
  text: string;
}

export interface Import {
  path: string;
  lazy: boolean;
}

export const root = join(import.meta.dir, "..", "..");

/** The hand-written program files of src and test. */
export function readSources(): SourceFile[] {
  const glob = new Bun.Glob("{src,test}/**/*.{ts,tsx,sh}");
  return [...glob.scanSync({ cwd: root, dot: true })]
    .filter((path) => !path.startsWith("test/fixtures/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts", target: "bun" }),
  tsx: new Bun.Transpiler({ loader: "tsx", target: "bun" }),
};
const transpilerOf = (file: SourceFile) => transpilers[file.path.endsWith("x") ? "tsx" : "ts"];

/** What a file imports at run time; type imports are gone. */
export function importsOf(file: SourceFile): Import[] {
  if (file.path.endsWith(".sh")) return [];
  return transpilerOf(file)
    .scanImports(file.text)
    .map(({ path, kind }) => ({ path, lazy: kind === "dynamic-import" }));
}

/** The code without comments and types. */
export function codeOf(file: SourceFile): string {
  return file.path.endsWith(".sh") ? file.text : transpilerOf(file).transformSync(file.text);
}

/** The file below the root that a relative import names. */
export function resolveImport(from: string, path: string): string {
  return posix.join(posix.dirname(from), path);
}

export const isRelative = (path: string) => path.startsWith("./") || path.startsWith("../");
export const belowSrc = (path: string) => path.replace(/^src\//, "");
/** First folder below src, or the file itself. */
export const folderOf = (path: string) => belowSrc(path).split("/")[0] ?? "";
