import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { platform } from "../../support/release-server.ts";
import { type CliOptions, runCli } from "../run-cli.ts";
import { latest, scene } from "./scene.ts";

const notice = `roborev ${latest} is available, this is 0.0.1. Update with: roborev update\n`;
const noon = new Date("2026-01-01T12:00:00Z");
const later = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

function noticed() {
  const s = scene();
  const status = (options: CliOptions = {}) =>
    runCli(["status"], {
      cwd: s.dir.path,
      terminal: true,
      now: noon,
      program: { version: "0.0.1", platform, path: s.path },
      ...options,
      env: { ...s.env, CI: undefined, ...options.env },
    });
  return { ...s, status };
}

test("status on a terminal tells of a newer release once a day", async () => {
  await using s = noticed();
  expect((await s.status()).stderr).toBe(notice);
  expect((await s.status({ now: later(23) })).stderr).toBe("");
  expect((await s.status({ now: later(25) })).stderr).toBe(notice);
  expect(s.server.asked).toEqual(["SHA256SUMS", "SHA256SUMS"]);
});

test.each<[string, CliOptions]>([
  ["in a pipe", { terminal: false }],
  ["in CI", { env: { CI: "true" } }],
  ["where its user switched that off", { env: { ROBOREV_NO_UPDATE_CHECK: "1" } }],
  ["of a development build", { program: { version: "0.0.1-dev+abc", platform, path: "/nowhere/roborev" } }],
  ["that runs from source", { program: { version: "dev", platform: undefined, path: "/nowhere/bun" } }],
])("status %s asks nobody", async (_, options) => {
  await using s = noticed();
  expect(await s.status(options)).toMatchObject({ code: 0, stderr: "" });
  expect(s.server.asked).toEqual([]);
});

test("a server that does not answer is no news, delays by a second at most, and is asked again the next day", async () => {
  await using s = noticed();
  const answer = s.server.files.SHA256SUMS as string;
  s.server.files.SHA256SUMS = () => new Promise<Response>(() => {});
  expect(await s.status()).toMatchObject({ code: 0, stderr: "" });
  s.server.files.SHA256SUMS = answer;
  expect((await s.status({ now: later(1) })).stderr).toBe("");
  expect((await s.status({ now: later(25) })).stderr).toBe(notice);
  const { stderr } = await s.status({ now: later(60), env: { ROBOREV_UPDATE_URL: "http://example.com" } });
  expect(stderr).toBe("");
});

test("nobody who has no data directory gets one by it", async () => {
  await using s = noticed();
  rmSync(s.dataDir, { recursive: true });
  expect(await s.status()).toMatchObject({ code: 0, stderr: "" });
  expect(s.server.asked).toEqual([]);
});
