import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codex } from "../../src/harness/codex.ts";
import { applyPlan, recordStem } from "../../src/install/apply.ts";
import { buildCommand } from "../../src/install/command.ts";
import { planInstall, planUninstall } from "../../src/install/plan.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const command = buildCommand("/bin/roborev", "codex");

/** Installs into `path`; before each of the first `times` writes another program gets a word in. */
function installAgainst(path: string, dataDir: string, times: number, other: (time: number) => void) {
  let plans = -1; // the first plan is made before the lock is taken
  return applyPlan(path, dataDir, (before) => {
    const plan = planInstall({ harness: codex, path, before }, command, 10_000);
    plans++;
    if (plans >= 1 && plans <= times) other(plans);
    return plan;
  });
}

describe("T7: another program writes between our reading and our writing", () => {
  test("up to five times: everything that it wrote is kept, and we come last", async () => {
    using dir = tempDir({ "hooks.json": "{}" });
    const path = dir.join("hooks.json");
    const seen: Record<string, number> = {};
    await installAgainst(path, dir.join("data"), 5, (time) => {
      seen[`key${time}`] = time;
      writeFileSync(path, JSON.stringify(seen));
    });
    const after = JSON.parse(readFileSync(path, "utf8"));
    expect(after).toMatchObject({ key1: 1, key2: 2, key3: 3, key4: 4, key5: 5 });
    expect(Object.keys(after.hooks)).toEqual(["PreToolUse", "PostToolUse", "Stop"]);
  });

  test("without end: we give up, say so, and leave its last bytes", async () => {
    using dir = tempDir({ "hooks.json": "{}" });
    const path = dir.join("hooks.json");
    const work = installAgainst(path, dir.join("data"), 99, (time) =>
      writeFileSync(path, `{"time":${time}}`),
    );
    await expect(work).rejects.toThrow(`${path} keeps changing`);
    expect(readFileSync(path, "utf8")).toBe('{"time":6}');
    expect(readdirSync(dir.path).sort()).toEqual(["data", "hooks.json"]);
  });

  test("also where there was no file, and where the file goes away", async () => {
    using dir = tempDir();
    const path = dir.join("sub/hooks.json");
    await installAgainst(path, dir.join("data"), 0, () => undefined);
    expect(existsSync(path)).toBe(true);
    const created = dir.join("new.json");
    await installAgainst(created, dir.join("data"), 1, () => writeFileSync(created, '{"theirs":true}'));
    expect(JSON.parse(readFileSync(created, "utf8")).theirs).toBe(true);
  });

  test("in place: a file that is empty or half written right now is waited for, not taken at its word", async () => {
    for (const torn of ["", '{"theirs": [1,']) {
      using dir = tempDir({ "hooks.json": torn });
      const path = dir.join("hooks.json");
      const timer = setTimeout(() => writeFileSync(path, '{"theirs": [1, 2]}'), 30);
      await installAgainst(path, dir.join("data"), 0, () => undefined);
      clearTimeout(timer);
      expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ theirs: [1, 2] });
    }
  });

  test("a file that stays empty is filled", async () => {
    using dir = tempDir({ "hooks.json": "" });
    await installAgainst(dir.join("hooks.json"), dir.join("data"), 0, () => undefined);
    expect(readFileSync(dir.join("hooks.json"), "utf8")).toStartWith('{\n  "hooks": {\n    "PreToolUse": [');
  });
});

test("a temporary file that a killed write left is cleared, one of a living process is not", async () => {
  const dead = Bun.spawnSync(["true"]).pid;
  const left = `.hooks.json.${dead}.0a1b2c3d.tmp`;
  const used = `.hooks.json.${process.pid}.0a1b2c3d.tmp`;
  using dir = tempDir({ "hooks.json": "{}", [left]: "", [used]: "", ".hooks.json.x.tmp": "" });
  await installAgainst(dir.join("hooks.json"), dir.join("data"), 0, () => undefined);
  expect(readdirSync(dir.path).sort()).toEqual([".hooks.json.x.tmp", used, "data", "hooks.json"].sort());
});

describe("what is kept for the way back", () => {
  const recordOf = (dir: { join(name: string): string }) =>
    `${recordStem(dir.join("data"), dir.join("hooks.json"))}.json`;

  test("nothing, when a file that its owner made read-only is refused", async () => {
    using dir = tempDir({ "hooks.json": "{}" });
    const path = dir.join("hooks.json");
    chmodSync(path, 0o444);
    await expect(installAgainst(path, dir.join("data"), 0, () => undefined)).rejects.toThrow(
      `${path} is read-only`,
    );
    expect([readFileSync(path, "utf8"), existsSync(recordOf(dir))]).toEqual(["{}", false]);
  });

  test("nothing, after an uninstall from a file that is gone or was rewritten", async () => {
    using dir = tempDir({ "hooks.json": "{}" });
    const path = dir.join("hooks.json");
    for (const lose of [() => rmSync(path), () => writeFileSync(path, "{}")]) {
      await installAgainst(path, dir.join("data"), 0, () => undefined);
      expect(existsSync(recordOf(dir))).toBe(true);
      lose();
      await applyPlan(path, dir.join("data"), (before, record) =>
        planUninstall({ harness: codex, path, before }, record),
      );
      expect(existsSync(recordOf(dir))).toBe(false);
    }
  });
});

// Root may write anywhere: for it there is the test after this one.
const asUser = test.skipIf(process.getuid?.() === 0);
asUser(
  "G7: where the directory cannot be written, the file stays as it is and the error names it",
  async () => {
    using dir = tempDir({ "ro/hooks.json": "{}" });
    chmodSync(dir.join("ro"), 0o500);
    const path = dir.join("ro/hooks.json");
    await expect(installAgainst(path, dir.join("data"), 0, () => undefined)).rejects.toThrow(path);
    chmodSync(dir.join("ro"), 0o700);
  },
);

test("G7: on a full or forbidden target the error names the path and the cause", async () => {
  const path = "/proc/self/hooks.json"; // nobody can create files here, not even root
  using dir = tempDir();
  const failure = await installAgainst(path, dir.join("data"), 0, () => undefined).catch(
    (error: Error) => error,
  );
  expect(failure).toBeInstanceOf(Error);
  expect((failure as Error).message).toContain(path);
});
