import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { harnessNames } from "../../src/harness/names.ts";
import { bareFigure, type Figure } from "./figure.ts";

const targetKiB = 40;
const source = join(import.meta.dir, "..", "..", "src");

/** All that `agent-hook run` loads before it has answered in full, minified; of the codecs the largest. */
export async function measureChunk(): Promise<Figure> {
  const outdir = mkdtempSync(join(tmpdir(), "roborev-chunk-"));
  const codecs = harnessNames.map((name) => `harness/${name}`);
  try {
    const { success } = await Bun.build({
      // What is imported while it runs, and its own answer and codec are: each of them an entry.
      entrypoints: ["main", "hook/answer", ...codecs].map((name) => join(source, `${name}.ts`)),
      ...{ outdir, root: source, target: "bun", format: "esm", minify: true, splitting: true },
      external: ["react-devtools-core"],
      define: { ROBOREV_VERSION: '"0"', "process.env.NODE_ENV": '"production"' },
    });
    if (!success) throw new Error("the hook does not bundle");
    const sizes = codecs.map((codec) =>
      sizeOf(["main", "hook/answer", codec].map((name) => join(outdir, `${name}.js`))),
    );
    return bareFigure("hook chunks, minified", Math.max(...(await Promise.all(sizes))), "KiB", targetKiB);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** Bytes of these modules and of all that they import statically, in KiB. */
async function sizeOf(entries: string[]): Promise<number> {
  const transpiler = new Bun.Transpiler({ loader: "js" });
  const seen = new Set<string>();
  let bytes = 0;
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = await Bun.file(path).text();
    bytes += Buffer.byteLength(text);
    for (const { path: specifier, kind } of transpiler.scanImports(text))
      if (kind === "import-statement") await visit(join(path, "..", specifier));
  };
  for (const entry of entries) await visit(entry);
  return bytes / 1024;
}
