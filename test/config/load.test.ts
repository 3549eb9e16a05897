import { expect, test } from "bun:test";
import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createConfigCache, loadGlobalConfig } from "../../src/config/load.ts";
import { tempDir } from "../support/temp.ts";

const brokenWith = (message: string) => ({ code: "E_CONFIG", message: expect.stringContaining(message) });

test("a missing file is a configuration of defaults", async () => {
  using dir = tempDir();
  const path = dir.join("none", "config.toml");
  expect(await loadGlobalConfig(path)).toEqual({ path, exists: false, config: {}, warnings: [] });
});

test("a file with a byte order mark and CRLF is read", async () => {
  using dir = tempDir({ "config.toml": "\ufeffmax_workers = 3\r\n[agent_hook]\r\nturn_threshold = 2\r\n" });
  const { config } = await loadGlobalConfig(dir.join("config.toml"));
  expect(config).toEqual({ max_workers: 3, agent_hook: { turn_threshold: 2 } });
});

test("a directory, bytes that are not text and a giant file are refused with the path", async () => {
  using dir = tempDir();
  mkdirSync(dir.join("config.toml"));
  await expect(loadGlobalConfig(dir.join("config.toml"))).rejects.toMatchObject(
    brokenWith("not a regular file"),
  );
  writeFileSync(dir.join("bytes.toml"), Uint8Array.of(0x61, 0xff, 0xfe));
  await expect(loadGlobalConfig(dir.join("bytes.toml"))).rejects.toMatchObject(brokenWith("not UTF-8"));
  writeFileSync(dir.join("big.toml"), `#${"x".repeat(1024 * 1024)}`);
  await expect(loadGlobalConfig(dir.join("big.toml"))).rejects.toMatchObject(brokenWith("larger than 1 MiB"));
});

test("a file that cannot be opened is refused", async () => {
  using dir = tempDir();
  symlinkSync("config.toml", dir.join("config.toml"));
  await expect(loadGlobalConfig(dir.join("config.toml"))).rejects.toMatchObject(brokenWith("cannot read"));
});

/** Moves the file's time stamp away from now, so that a read counts as final. */
function age(path: string): void {
  const past = new Date(Date.now() - 10_000);
  utimesSync(path, past, past);
}

test("the cache returns the same object while the file has not changed, and sees every kind of change", async () => {
  using dir = tempDir({ "config.toml": "max_workers = 1" });
  const path = dir.join("config.toml");
  age(path);
  const cache = createConfigCache();
  const load = async () => (await cache.loadOrKeep(path)).loaded;
  const first = await load();
  expect(first.config.max_workers).toBe(1);
  expect(await load()).toBe(first);

  writeFileSync(path, "max_workers = 2");
  expect((await load()).config.max_workers).toBe(2);
  rmSync(path);
  expect((await load()).exists).toBe(false);
  writeFileSync(path, "max_workers = 3");
  expect((await load()).config.max_workers).toBe(3);
});

test("the cache does not trust a time stamp that is as young as its own reading", async () => {
  using dir = tempDir({ "config.toml": "max_workers = 1" });
  const path = dir.join("config.toml");
  const written = statSync(path).mtimeMs;
  const cache = createConfigCache(() => written + 1);
  const load = async () => (await cache.loadOrKeep(path)).loaded;
  const first = await load();
  expect(await load()).not.toBe(first);
  expect(await load()).toEqual(first);
});

test("a broken file keeps its last sound version, beside the problem", async () => {
  using dir = tempDir({ "config.toml": "max_workers = 5" });
  const path = dir.join("config.toml");
  const cache = createConfigCache();
  expect((await cache.loadOrKeep(path)).loaded.config.max_workers).toBe(5);
  writeFileSync(path, "max_workers = = broken");
  const kept = await cache.loadOrKeep(path);
  expect([kept.loaded.config.max_workers, kept.neverSound]).toEqual([5, undefined]);
  expect(kept.problem).toMatchObject(brokenWith(":1:15: not valid TOML"));
  writeFileSync(path, "max_workers = 6 # whole again");
  expect((await cache.loadOrKeep(path)).problem).toBeUndefined();
});

test("a wrong value in a file that was never sound leaves what is right beside it, and the problem", async () => {
  const text = 'max_workers = 999\n[agent_hook]\nenabled = false\nturn_threshold = "x"\n';
  using dir = tempDir({ "config.toml": text });
  const path = dir.join("config.toml");
  age(path);
  const cache = createConfigCache();
  const kept = await cache.loadOrKeep(path);
  expect([kept.loaded.config, kept.neverSound]).toEqual([{ agent_hook: { enabled: false } }, true]);
  expect(kept.problem).toMatchObject(brokenWith(":1:1: `max_workers` must be"));
  expect((await cache.loadOrKeep(path)).loaded).toBe(kept.loaded);
  writeFileSync(path, "max_workers = 5 # whole");
  await cache.loadOrKeep(path);
  writeFileSync(path, text);
  expect(await cache.loadOrKeep(path)).toMatchObject({ loaded: { config: { max_workers: 5 } } });
});

test("a file that is no TOML and was never sound leaves the defaults and the problem", async () => {
  using dir = tempDir({ "config.toml": "nonsense" });
  const { loaded, problem, neverSound } = await createConfigCache().loadOrKeep(dir.join("config.toml"));
  expect([loaded.config, neverSound]).toEqual([{}, true]);
  expect(problem?.code).toBe("E_CONFIG");
});
