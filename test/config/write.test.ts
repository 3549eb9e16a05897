import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { ConfigValue } from "../../src/config/masked.ts";
import { type ConfigWrite, writeConfig } from "../../src/config/write.ts";
import { type TempDir, tempDir } from "../support/temp.ts";

function inside(dir: TempDir, name = "data/config.toml", mode: ConfigWrite["mode"] = 0o600) {
  const path = dir.join(name);
  const write = { path, mode, lock: dir.join("data/config.lock.db") };
  return {
    path,
    text: () => readFileSync(path, "utf8"),
    mode: () => statSync(path).mode & 0o777,
    set: (key: string, value: ConfigValue) =>
      writeConfig({ ...write, edit: { kind: "set", path: key.split("."), value } }),
    unset: (key: string) => writeConfig({ ...write, edit: { kind: "unset", path: key.split(".") } }),
  };
}

describe("C09 writing a key", () => {
  test("creates the user's file for the user alone, a repository's for everybody", async () => {
    using dir = tempDir();
    const mine = inside(dir);
    expect(await mine.set("max_workers", 2)).toEqual({ outcome: "created", text: "max_workers = 2\n" });
    expect([mine.mode(), statSync(dir.join("data")).mode & 0o777]).toEqual([0o600, 0o700]);
    const theirs = inside(dir, ".roborev.toml", 0o644);
    const previous = process.umask(0o077);
    try {
      await theirs.set("agent", "codex");
    } finally {
      process.umask(previous);
    }
    expect([theirs.mode(), theirs.text()]).toEqual([0o644, 'agent = "codex"\n']);
  });

  test("keeps every other byte, and the mode but what others could read of the user's", async () => {
    using dir = tempDir({ "data/config.toml": "# mine\r\nmax_workers=4  # cores\r\n" });
    const mine = inside(dir);
    chmodSync(mine.path, 0o644);
    await mine.set("agent_hook.enabled", false);
    expect(mine.text()).toBe("# mine\r\nmax_workers=4  # cores\r\n\r\n[agent_hook]\r\nenabled = false\r\n");
    expect(mine.mode()).toBe(0o600);
    await mine.unset("max_workers");
    expect(mine.text()).toBe("# mine\r\n# cores\r\n\r\n[agent_hook]\r\nenabled = false\r\n");
    const theirs = inside(dir, "repo.toml", 0o644);
    writeFileSync(theirs.path, "");
    chmodSync(theirs.path, 0o664);
    await theirs.set("agent", "codex");
    expect(theirs.mode()).toBe(0o664);
  });

  test("writes nothing where nothing changes, and makes no file to take a key out of it", async () => {
    using dir = tempDir();
    const mine = inside(dir);
    expect(await mine.unset("max_workers")).toEqual({ outcome: "unchanged", text: "" });
    expect(existsSync(mine.path)).toBe(false);
    await mine.set("max_workers", 2);
    const before = statSync(mine.path);
    expect((await mine.set("max_workers", 2)).outcome).toBe("unchanged");
    expect(statSync(mine.path).ino).toBe(before.ino);
  });

  test("follows the user's own link, and mends what has a wrong value but is TOML", async () => {
    using dir = tempDir({ "dotfiles/roborev.toml": "max_workers = 0\n" });
    mkdirSync(dir.join("data"), { mode: 0o700 });
    symlinkSync(dir.join("dotfiles/roborev.toml"), dir.join("data/config.toml"));
    await inside(dir).set("max_workers", 3);
    expect(readFileSync(dir.join("dotfiles/roborev.toml"), "utf8")).toBe("max_workers = 3\n");
  });

  test("refuses what is no TOML, no file or too large, and leaves it as it is", async () => {
    using dir = tempDir({ "data/config.toml": "max_workers = [\n" });
    const mine = inside(dir);
    await expect(mine.set("max_workers", 3)).rejects.toMatchObject({ code: "E_SYNTAX" });
    expect(mine.text()).toBe("max_workers = [\n");
    const large = `#${"x".repeat(1024 * 1024 - 10)}\n`;
    writeFileSync(mine.path, large);
    await expect(mine.set("max_workers", 3)).rejects.toMatchObject({ code: "E_TOO_LARGE" });
    writeFileSync(mine.path, `${large}#${large}`);
    await expect(mine.set("max_workers", 3)).rejects.toMatchObject({ code: "E_CONFIG" });
    const folder = inside(dir, "data", 0o644);
    await expect(folder.set("agent", "codex")).rejects.toMatchObject({ code: "E_CONFIG" });
  });

  test("of many writers at once none undoes what another one did", async () => {
    using dir = tempDir();
    const mine = inside(dir);
    const keys = Array.from({ length: 12 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key, index) => mine.set(key, index)));
    expect(mine.text().trim().split("\n").sort()).toEqual(
      keys.map((key, index) => `${key} = ${index}`).sort(),
    );
  });
});
