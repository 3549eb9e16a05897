import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { asBuilt, releaseServer } from "../../support/release-server.ts";
import { latest, scene } from "./scene.ts";

describe("update --check", () => {
  test("asks once a day, remembers the answer of this source, and asks anew when told to", async () => {
    await using s = scene();
    const now = new Date("2026-01-01T12:00:00Z");
    const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    const text = `roborev ${latest} is available, this is 0.0.1+abc. Update with: roborev update\n`;
    for (const hours of [0, 23]) {
      expect(await s.update(["--check"], { now: later(hours) })).toEqual({
        code: 0,
        stdout: text,
        stderr: "",
      });
    }
    expect(s.server.asked).toEqual(["SHA256SUMS"]);
    const json = await s.update(["--check", "--json"], { now: later(1) });
    expect(JSON.parse(json.stdout)).toEqual({
      current: "0.0.1+abc",
      latest,
      update_available: true,
      checked_at: now.toISOString(),
    });
    await s.update(["--check"], { now: later(25) });
    await s.update(["--check", "--force"], { now: later(25) });
    expect(s.server.asked).toHaveLength(3);
    using other = releaseServer("0.0.1", asBuilt);
    const { stdout } = await s.update(["--check"], {
      now: later(25),
      env: { ROBOREV_UPDATE_URL: other.url },
    });
    expect(stdout).toBe("roborev 0.0.1+abc is up to date, the latest release is 0.0.1.\n");
  });

  test("a damaged memory is as good as none, a server without an answer is named", async () => {
    await using s = scene();
    writeFileSync(`${s.dataDir}/update_check.json`, "{");
    expect((await s.update(["--check"])).code).toBe(0);
    delete s.server.files.SHA256SUMS;
    const { code, stderr } = await s.update(["--check", "--force"]);
    expect(code).toBe(1);
    expect(stderr).toStartWith(`Error: cannot download ${s.server.url}/SHA256SUMS: it answered 404. `);
  });
});
