import { expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { watchPlace } from "../../src/daemon/own-place.ts";
import { startDaemon } from "../support/daemon-process.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

test("a place is ours as long as the lock's file is the same one", async () => {
  using dir = tempDir({ "data/lock": "" });
  using place = watchPlace(dir.join("data/lock"), 5);
  expect(place.isOurs()).toBe(true);
  renameSync(dir.join("data/lock"), dir.join("data/kept"));
  writeFileSync(dir.join("data/lock"), "");
  expect(place.isOurs()).toBe(false);
  expect(await place.gone).toContain("gone");
  renameSync(dir.join("data/kept"), dir.join("data/lock"));
  expect(place.isOurs()).toBe(true);
  rmSync(dir.join("data"), { recursive: true });
  expect(place.isOurs()).toBe(false);
});

test("a daemon whose data directory was deleted ends, and leaves alone the one that runs there now", async () => {
  using dir = tempDir();
  mkdirSync(dir.join("data"), { mode: 0o700 });
  await using first = await startDaemon(dir.join("data"));
  // It answers a moment before its start is over.
  await waitFor("its record", () => existsSync(dir.join("data/daemon.json")));
  rmSync(dir.join("data"), { recursive: true });
  mkdirSync(dir.join("data"), { mode: 0o700 });
  await using second = await startDaemon(dir.join("data"));
  expect(await first.exited).toBe(0);
  expect((await second.send("GET", "/api/ping")).status).toBe(200);
}, 120_000);
