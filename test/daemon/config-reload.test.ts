import { expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import type { DaemonStatus } from "../../src/daemon/api/responses.ts";
import { testDaemon } from "../support/daemon.ts";
import { eventsOf } from "../support/events.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

test("D07 the status counts new versions, which are events, shows a broken one, and says what waits for a restart", async () => {
  using dir = tempDir({ "data/config.toml": "max_workers = 2\n" });
  const path = dir.join("data/config.toml");
  await using daemon = await testDaemon(dir.join("data"));
  const { events, configWatch } = daemon.parts.services;
  const { all: told } = eventsOf(events);
  const status = async () => (await daemon.get("/api/status")).body as DaemonStatus;
  const config = async () => (await status()).components.find(({ name }) => name === "config");
  expect(await status()).toMatchObject({ config_reload_counter: 0, healthy: true });
  expect(await status()).not.toHaveProperty("config_reloaded_at");

  writeFileSync(path, "max_workers = 3\nreview_context_count = 1\n");
  await waitFor("the reload", async () => (await status()).config_reload_counter === 1);
  expect(await status()).toMatchObject({ max_workers: 0, config_reloaded_at: expect.any(String) });
  expect(await config()).toEqual({
    name: "config",
    healthy: true,
    message: "max_workers takes effect with roborev daemon restart",
  });

  writeFileSync(`${path}.new`, "max_workers = [\n");
  renameSync(`${path}.new`, path);
  await waitFor("the problem", async () => (await config())?.healthy === false);
  expect((await config())?.message).toStartWith(`${path}:2:1: not valid TOML`);
  await waitFor("the problem in the list of errors", () => daemon.errors.recent().length > 0);
  expect(daemon.errors.recent()[0]).toMatchObject({ component: "config" });
  expect((await status()).config_reload_counter).toBe(1);
  expect(configWatch.last?.keys).toEqual(["max_workers", "review_context_count"]);
  const ts = (await status()).config_reloaded_at as string;
  expect(told).toEqual([{ type: "config.reloaded", ts }]);
});

test("D07 a broken configuration keeps the last sound version for new reviews, one that never was sound refuses them", async () => {
  using dir = tempDir({ "data/config.toml": 'default_agent = "test"\n' });
  using repo = testRepo();
  const path = dir.join("data/config.toml");
  await using daemon = await testDaemon(dir.join("data"));
  const enqueue = (content: string) =>
    daemon.post("/api/enqueue", { repo_path: repo.path, git_ref: repo.commit("c", { "a.ts": content }) });
  expect((await enqueue("1")).status).toBe(201);
  writeFileSync(path, "default_agent = [\n");
  expect(await enqueue("2")).toMatchObject({ status: 201, body: { agent: "test" } });

  // Where there was no file before, a first broken one is not the wish for the defaults.
  await using another = await testDaemon(dir.join("more"));
  const queue = () => another.post("/api/enqueue", { repo_path: repo.path, git_ref: "HEAD" });
  expect(await queue()).not.toMatchObject({ body: { code: "E_CONFIG" } });
  writeFileSync(dir.join("more/config.toml"), "default_agent = [\n");
  expect(await queue()).toMatchObject({ body: { code: "E_CONFIG" } });
});
