import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { systemd, unitValue, unitWord } from "../../../src/install/service/systemd.ts";
import { tempDir } from "../../support/temp.ts";

/** One word as systemd.syntax(7) and systemd.unit(5) read it: quotes, backslash escapes, then specifiers. */
function readWord(word: string): string {
  expect(word).toMatch(/^"(?:[^"\\]|\\["\\])*"$/);
  return readSpecifiers(word.slice(1, -1).replace(/\\(.)/g, "$1"));
}
const readSpecifiers = (text: string) => {
  expect(text.replaceAll("%%", "")).not.toContain("%");
  return text.replaceAll("%%", "%");
};

const path = fc
  .array(fc.constantFrom(..."ab /'\"\\%$`;#=@:é深&<>[]{}*?~!|-".split("")), { minLength: 1, maxLength: 30 })
  .map((chars) => `/${chars.join("")}`);

/** systemd takes no program whose path has these. */
const program = path.filter((text) => !/["'\\]/.test(text));

test("a path comes back from a unit file as it was, whatever printable characters it has", () => {
  fc.assert(
    fc.property(path, program, path, (dataDir, binary, log) => {
      expect(readWord(unitWord(dataDir))).toBe(dataDir);
      expect(readSpecifiers(unitValue(log))).toBe(log);
      const lines = systemd.text({ binary, dataDir, log }).split("\n");
      const start = lines.find((line) => line.startsWith("ExecStart=")) ?? "";
      const word = /^ExecStart=(:?)(".*") daemon run$/.exec(start);
      expect(readWord(word?.[2] ?? "")).toBe(binary);
      expect(word?.[1] === ":").toBe(binary.includes("$"));
      expect(lines).toContain(`Environment=${unitWord(`ROBOREV_DATA_DIR=${dataDir}`)}`);
      // Nothing of a path begins a line of its own.
      expect(lines.filter((line) => line.startsWith("/"))).toEqual([]);
    }),
  );
});

test("a unit serves the data directory that it names, and without one the default", () => {
  const log = "/d/daemon.log";
  fc.assert(
    fc.property(path, path, (one, other) => {
      const text = systemd.text({ binary: "/b", dataDir: one, log });
      expect(systemd.serves(text, one)).toBe(true);
      expect(systemd.serves(text, other)).toBe(one === other);
      expect(systemd.serves(text, undefined)).toBe(false);
    }),
  );
  expect(systemd.serves(systemd.text({ binary: "/b", log }), undefined)).toBe(true);
});

test("a path with control characters is refused, not written", () => {
  expect(() => systemd.text({ binary: "/a'b", log: "/l" })).toThrow("with quotes or backslashes");
  const spec = { binary: "/b", dataDir: "/d", log: "/l" };
  for (const name of ["binary", "dataDir", "log"] as const) {
    const text = () => systemd.text({ ...spec, [name]: "/a\nExecStartPre=/bin/evil" });
    expect(text).toThrow("a service cannot be given a path with control characters");
  }
});

test("the unit lies where the user's systemd looks, XDG_CONFIG_HOME or not", () => {
  expect(systemd.path({ HOME: "/h" })).toBe("/h/.config/systemd/user/roborev.service");
  expect(systemd.path({ HOME: "/h", XDG_CONFIG_HOME: "/x y" })).toBe("/x y/systemd/user/roborev.service");
  expect(systemd.path({ HOME: "/h", XDG_CONFIG_HOME: "relative" })).toBe(
    "/h/.config/systemd/user/roborev.service",
  );
});

test.skipIf(Bun.which("systemd-analyze") === null).each(["plain", "a b%h$HOME;#{é"])(
  "systemd itself finds nothing wrong with the unit of a program below %s",
  (name) => {
    using dir = tempDir();
    mkdirSync(dir.join(name));
    const binary = join(dir.path, name, "roborev");
    writeFileSync(binary, "#!/bin/sh\n", { mode: 0o755 });
    const unit = dir.join("roborev.service");
    writeFileSync(
      unit,
      systemd.text({ binary, dataDir: `${dir.path}/'"\\`, log: join(dir.path, name, "l") }),
    );
    const run = Bun.spawnSync(["systemd-analyze", "--user", "verify", unit], {
      env: { ...process.env, XDG_RUNTIME_DIR: dir.path },
      stdout: "pipe",
      stderr: "pipe",
    });
    const told = `${run.stdout}${run.stderr}`.split("\n").filter((line) => line.includes("roborev"));
    expect([run.exitCode, told]).toEqual([0, []]);
  },
);
