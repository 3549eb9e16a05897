import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import {
  readServiceFile,
  removeServiceFile,
  requireOurs,
  writeServiceFile,
} from "../../../src/install/service/service-file.ts";
import { systemd } from "../../../src/install/service/systemd.ts";
import { sealed } from "../../../src/skills/seal.ts";
import { tempDir } from "../../support/temp.ts";

const text = (binary: string) => sealed(systemd.text({ binary, log: "/l" }));

test("a file is ours as long as nobody edits it, in whichever release it was written", async () => {
  using dir = tempDir();
  const path = dir.join("a/b/roborev.service");
  expect(await readServiceFile(path)).toEqual({ state: "absent" });
  expect(await writeServiceFile(path, text("/old"), { state: "absent" })).toEqual({ changed: true });
  expect(statSync(path).mode & 0o777).toBe(0o644);
  const file = await readServiceFile(path);
  expect(file).toMatchObject({ state: "ours", text: text("/old") });
  expect(await writeServiceFile(path, text("/old"), file)).toEqual({ changed: false });
  expect(await writeServiceFile(path, text("/new"), file)).toEqual({ changed: true });
  expect(existsSync(`${path}.before-roborev`)).toBe(false);
  writeFileSync(path, text("/new").replace("/new", "/mine"));
  expect((await readServiceFile(path)).state).toBe("edited");
  writeFileSync(path, "[Service]\nExecStart=/usr/bin/roborev daemon run\n");
  expect((await readServiceFile(path)).state).toBe("foreign");
});

test("what is not ours is refused; with force it is kept beside the new one, and when that is removed", async () => {
  using dir = tempDir();
  const path = dir.join("roborev.service");
  for (const [theirs, problem, end] of [
    [Buffer.from("[Service]\n# caf\xe9\n", "latin1"), "is not of roborev's making", ""],
    // What was kept before is nowhere else.
    [Buffer.from(`${text("/b")}# mine\n`), "was edited by hand", ".2"],
  ] as const) {
    writeFileSync(path, theirs);
    const file = await readServiceFile(path);
    expect(() => requireOurs(path, file, false)).toThrow(problem);
    requireOurs(path, file, true);
    const kept = `${path}.before-roborev${end}`;
    expect(await writeServiceFile(path, text("/b"), file)).toEqual({ changed: true, kept });
    expect(readFileSync(kept)).toEqual(theirs);
    writeFileSync(path, theirs);
    expect(await removeServiceFile(path, file)).toEqual({ kept });
    expect(existsSync(path)).toBe(false);
  }
});

test("a file that changed since it was looked at is not overwritten", async () => {
  using dir = tempDir({ "roborev.service": "theirs" });
  const path = dir.join("roborev.service");
  await expect(writeServiceFile(path, text("/b"), { state: "absent" })).rejects.toThrow("changed while");
  expect(readFileSync(path, "utf8")).toBe("theirs");
});

test("a pipe and a directory in its place are told of, and nobody waits for them", async () => {
  using dir = tempDir();
  expect(Bun.spawnSync(["mkfifo", dir.join("pipe")]).exitCode).toBe(0);
  await expect(readServiceFile(dir.join("pipe"))).rejects.toThrow(`${dir.join("pipe")} is no regular file`);
  await expect(readServiceFile(dir.path)).rejects.toMatchObject({ code: "E_SERVICE" });
});
