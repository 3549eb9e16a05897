import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { programState } from "../../../src/install/doctor/program.ts";
import { tempDir } from "../../support/temp.ts";

const says = (text: string) => `#!/bin/sh\n[ "$*" = version ] && echo '${text}'\n`;

test("the program of a registration is ours, of another release, gone, or open to every user", async () => {
  using dir = tempDir({
    "bin/roborev": says("never asked"),
    "same/shim": says("roborev v1.2.3"),
    "old/roborev": says("roborev v1.2.2"),
    "mute/roborev": "#!/bin/sh\nexit 3\n",
    "plain/roborev": "text",
    "open/roborev": says("roborev v1.2.3"),
  });
  for (const name of ["bin/roborev", "same/shim", "old/roborev", "mute/roborev", "open/roborev"])
    chmodSync(dir.join(name), 0o755);
  chmodSync(dir.join("open"), 0o777);
  mkdirSync(dir.join("links"));
  symlinkSync(dir.join("bin/roborev"), dir.join("links/roborev"));
  const env = { PATH: `${dir.join("links")}:/usr/bin:/bin` };
  const self = { execPath: dir.join("bin/roborev"), version: "1.2.3", fromSource: false };
  const state = (program: string, fromSource = false) => programState(program, env, { ...self, fromSource });

  expect(await state(dir.join("bin/roborev"))).toEqual({ state: "ours" });
  expect(await state("roborev")).toEqual({ state: "ours" });
  expect(await state(dir.join("same/shim"))).toEqual({ state: "ours" });
  expect(await state(dir.join("old/roborev"))).toEqual({ state: "other", version: "roborev v1.2.2" });
  expect(await state(dir.join("old/roborev"), true)).toEqual({ state: "ours" });
  expect(await state(dir.join("mute/roborev"))).toEqual({
    state: "other",
    version: "a program that does not tell its version",
  });
  expect(await state(dir.join("plain/roborev"))).toEqual({ state: "dead", why: "cannot be executed" });
  expect(await state(dir.join("gone/roborev"))).toEqual({ state: "dead", why: "is not there any more" });
  expect(await state("unheard-of")).toEqual({ state: "dead", why: "is not on PATH" });
  expect(await state(dir.join("open/roborev"))).toEqual({ state: "open", path: dir.join("open") });
});
