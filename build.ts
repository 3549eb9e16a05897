import { rename } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { compile, root } from "./build/compile.ts";
import { buildArchives, inScratch, messages, runsHere, smokeTest, writeSums } from "./build/release.ts";
import { sourceVersion } from "./build/version.ts";
import { platforms } from "./src/update/platform.ts";

// bun build.ts                      dist/roborev for this machine
// bun build.ts --release            the archives of all systems and SHA256SUMS; what this machine can run is tried first
// bun build.ts --target=linux-x64   the archive of one system, and SHA256SUMS; repeatable
// --out=DIR                         there instead of in dist

interface Wish {
  targets: string[];
  release: boolean;
  directory: string;
}

function parseWish(args: string[]): Wish {
  const known = Object.keys(platforms);
  const wish: Wish = { targets: [], release: false, directory: join(root, "dist") };
  for (const arg of args) {
    const [, name, value] = /^--(target|out)=(.+)$/.exec(arg) ?? [];
    if (arg === "--release") Object.assign(wish, { release: true, targets: known });
    else if (name === "out") wish.directory = resolve(value as string);
    else if (name === "target")
      wish.targets.push(...(value as string).split(",").map((one) => one.replace(/^bun-/, "")));
    else throw new Error(`unknown argument ${arg}; there are --release, --target=NAME and --out=DIR`);
  }
  const unknown = wish.targets.find((target) => !known.includes(target));
  if (unknown) throw new Error(`unknown target ${unknown}; known: ${known.join(", ")}`);
  return { ...wish, targets: [...new Set(wish.targets)] };
}

async function buildHere(directory: string, version: string): Promise<string> {
  const binary = join(directory, process.platform === "win32" ? "roborev.exe" : "roborev");
  await inScratch(directory, async (scratch) => {
    const built = join(scratch, basename(binary));
    await compile({ entry: join(root, "src", "main.ts"), outfile: built, version });
    await rename(built, binary); // a daemon may be running from the old file
  });
  return binary;
}

let startedMs = performance.now();

function report(file: string, version: string): void {
  const megabytes = (Bun.file(file).size / 1e6).toFixed(1);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`built ${relative(root, file)} ${version}, ${megabytes} MB in ${seconds} s`);
  startedMs = performance.now();
}

async function main({ targets, release, directory }: Wish): Promise<void> {
  const version = await sourceVersion(targets.length > 0 ? "release" : "dev");
  if (targets.length === 0) return report(await buildHere(directory, version), version);
  const onBuilt = ({ archive }: { archive: string }) => report(archive, version);
  const built = await buildArchives({ targets, version, directory, onBuilt });
  for (const one of release ? built.filter(({ target }) => runsHere(target)) : []) {
    await smokeTest(one);
    console.log(`tried ${one.target} in a directory full of traps`);
  }
  await writeSums(built, directory);
}

if (import.meta.main) {
  try {
    await main(parseWish(process.argv.slice(2)));
  } catch (error) {
    for (const message of messages(error)) console.error(`build failed: ${message}`);
    process.exit(1);
  }
}
