import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, hostTarget } from "../../build/compile.ts";
import { runsHere, smokeTest } from "../../build/release.ts";
import { tarGz } from "../../build/tar.ts";
import { platforms } from "../../src/update/platform.ts";
import { root } from "../arch/source.ts";
import { tempDir } from "../support/temp.ts";

const text = (content: string) => new TextEncoder().encode(content);
const members = [
  { name: "roborev", content: text("#!/bin/sh\n"), mode: 0o755 },
  { name: "LICENSE", content: text("x".repeat(512)), mode: 0o644 },
];

test("an archive holds what was put in, in order, with the mode, and nothing of the machine it was made on", () => {
  using dir = tempDir();
  writeFileSync(dir.join("a.tar.gz"), tarGz(members));
  const tar = (...args: string[]) => {
    const run = Bun.spawnSync(["tar", ...args], {
      cwd: dir.path,
      env: { ...process.env, TZ: "UTC" },
      stderr: "pipe",
    });
    expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
    return run.stdout.toString();
  };
  expect(tar("--numeric-owner", "-tvzf", "a.tar.gz").replace(/ +/g, " ")).toBe(
    "-rwxr-xr-x 0/0 10 1970-01-01 00:00 roborev\n-rw-r--r-- 0/0 512 1970-01-01 00:00 LICENSE\n",
  );
  tar("-xzf", "a.tar.gz");
  expect(readFileSync(dir.join("LICENSE"), "utf8")).toBe("x".repeat(512));
  expect(tarGz(members)).toEqual(tarGz(members));
  expect(tarGz(members).subarray(4, 10)).toEqual(new Uint8Array([0, 0, 0, 0, 0, 255])); // no time, no system
});

test("the same sources give the same binary, wherever they lie", async () => {
  using dir = tempDir();
  const built: Uint8Array[] = [];
  for (const place of ["here", "somewhere/else/entirely"]) {
    mkdirSync(dir.join(place), { recursive: true });
    writeFileSync(dir.join(place, "part.ts"), "export const place = import.meta.path;\n");
    const lazily = 'console.log(new Error("x").stack, (await import("./part.ts")).place);\n';
    writeFileSync(dir.join(place, "main.ts"), lazily);
    const outfile = dir.join(place, "roborev");
    await compile({ entry: dir.join(place, "main.ts"), outfile, version: "1.2.3" });
    built.push(await Bun.file(outfile).bytes());
  }
  expect(Buffer.compare(built[0] as Uint8Array, built[1] as Uint8Array)).toBe(0);
}, 60_000);

test("an archive is tried itself, not what else was built here", async () => {
  using dir = tempDir();
  const archive = dir.join("a.tar.gz");
  const content = text("#!/bin/sh\necho nothing of the kind\n");
  writeFileSync(archive, tarGz([{ name: "roborev", content, mode: 0o755 }]));
  const error = await smokeTest({ target: hostTarget(), archive }).catch((caught) => caught);
  expect(error.message).toStartWith(`${hostTarget()}: `);
  expect(error.message).toContain("nothing of the kind");
  expect(readdirSync(dir.path)).toEqual(["a.tar.gz"]);
}, 60_000);

test("a target whose runtime cannot be had fails by its name, and then there is no SHA256SUMS", () => {
  using dir = tempDir({ "out/SHA256SUMS": "of an earlier build" });
  const foreign = Object.keys(platforms)
    .filter((target) => !runsHere(target))
    .slice(0, 2);
  const args = foreign.map((target) => `--target=${target}`);
  const run = Bun.spawnSync([process.execPath, join(root, "build.ts"), `--out=${dir.join("out")}`, ...args], {
    // Nothing is cached, and nobody listens there.
    env: {
      ...process.env,
      BUN_INSTALL_CACHE_DIR: dir.join("cache"),
      HTTPS_PROXY: "http://127.0.0.1:1",
      https_proxy: "http://127.0.0.1:1",
    },
    stderr: "pipe",
  });
  expect(run.exitCode).toBe(1);
  for (const target of foreign) expect(run.stderr.toString()).toContain(`build failed: ${target}: `);
  expect(existsSync(dir.join("out", "SHA256SUMS"))).toBe(false);
}, 60_000);
