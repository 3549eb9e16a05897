import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compile, hostTarget } from "../../../build/compile.ts";
import { archiveName, platforms } from "../../../src/update/platform.ts";
import { root } from "../../arch/source.ts";
import { run } from "../../support/binary.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";
import { built, latest, scene } from "./scene.ts";

describe("C14 the compiled program", () => {
  let compiled: TempDir;
  beforeAll(async () => {
    compiled = tempDir();
    const outfile = compiled.join("roborev");
    await compile({ entry: join(root, "src", "main.ts"), outfile, version: "0.0.1" });
  }, 60_000);
  afterAll(() => compiled[Symbol.dispose]());

  /** The same scene, and in it a program that can replace itself. */
  function compiledScene() {
    const s = scene();
    rmSync(s.path);
    linkSync(compiled.join("roborev"), s.path);
    const files = s.server.files;
    // The archive of whatever machine this is.
    const here = archiveName(latest, platforms[hostTarget()] as string);
    files.SHA256SUMS = String(files.SHA256SUMS).replace(s.server.archive, here);
    files[here] = files[s.server.archive] as Uint8Array<ArrayBuffer>;
    return { ...s, here, run: (...args: string[]) => run([s.path, ...args], { env: s.env }) };
  }

  test("replaces itself while it runs, and the daemon that it started", async () => {
    await using s = compiledScene();
    expect((await s.run("daemon", "start")).stdout).toContain("version 0.0.1)");
    const { exitCode, stdout, stderr } = await s.run("update", "--yes");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`${s.path} is ${built} now, it was 0.0.1\nDaemon     restarted (pid `);
    expect((await s.run("daemon", "status", "--json")).stdout).toContain(`"version": "${built}"`);
    expect(s.beside()).toEqual(["roborev"]);
  }, 60_000);

  test("is updated by one at a time, and Ctrl-C in the download leaves everything as it was", async () => {
    await using s = compiledScene();
    s.server.files[s.here] = () => new Promise<Response>(() => {}); // never an answer
    const first = Bun.spawn([s.path, "update", "--yes"], {
      env: { ...process.env, ...s.env },
      stderr: "pipe",
    });
    await waitFor("the download", () => s.server.asked.includes(s.here));
    const second = await s.run("update", "--yes");
    expect(second).toMatchObject({ exitCode: 1, stdout: "" });
    expect(second.stderr).toContain("is held by another roborev process");
    first.kill("SIGINT");
    expect(await first.exited).toBe(130);
    expect(s.beside()).toEqual(["roborev"]);
    expect((await s.run("version")).stdout).toBe("roborev v0.0.1\n");
  }, 60_000);
});
