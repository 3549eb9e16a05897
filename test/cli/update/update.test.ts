import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { binary, roborev } from "../../support/binary.ts";
import { startDaemon } from "../../support/daemon-process.ts";
import { asBuilt, platform } from "../../support/release-server.ts";
import { testRepo } from "../../support/repo.ts";
import { built, latest, old, scene } from "./scene.ts";

describe("C14 update", () => {
  test("replaces the program, restarts the daemon with it, renews git hooks and leaves nothing beside it", async () => {
    await using s = scene();
    using repo = testRepo();
    await using daemon = await startDaemon(s.dataDir);
    await roborev(["init", "--binary", binary], { cwd: repo.path, env: s.env });
    const hook = `${repo.path}/.git/hooks/post-commit`;
    writeFileSync(hook, readFileSync(hook, "utf8").replace(/hook v\d+/, "hook v4"));

    const { code, stdout, stderr } = await s.update(["--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    const size = ((s.server.files[s.server.archive] as Uint8Array).length / 1e6).toFixed(1);
    const pid = / \(pid (\d+), /.exec(stdout)?.[1];
    expect(stdout).toBe(
      `Download   ${s.server.archive}, ${size} MB, checksum verified
Program    ${s.path} is ${built} now, it was 0.0.1+abc
Daemon     restarted (pid ${pid}, version ${built})
Git hooks  1 refreshed
Skills     none are installed
`,
    );
    expect(await daemon.exited).toBe(0);
    expect(s.installed()).toBe(asBuilt);
    expect(s.beside()).toEqual(["roborev"]);
    expect(readFileSync(hook, "utf8")).not.toContain("hook v4");
    expect(s.server.asked).toEqual(["SHA256SUMS", s.server.archive]);
  }, 60_000);

  test("refuses an archive whose checksum is another, and the daemon does not notice", async () => {
    await using s = scene();
    await using daemon = await startDaemon(s.dataDir);
    s.server.files[s.server.archive] = "something else";
    const { code, stdout, stderr } = await s.update(["-y"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `Error: the checksum of ${s.server.archive} is wrong: it is damaged or was changed; nothing was installed. Try again later.\n`,
    );
    expect([s.installed(), s.beside()]).toEqual([old, ["roborev"]]);
    expect(await daemon.send("GET", "/api/status")).toMatchObject({
      body: { draining: false, pid: daemon.pid },
    });
  });

  test("where Homebrew installed the program says what updates it, and asks nobody", async () => {
    await using s = scene({ bin: "Cellar/roborev/0.0.1/bin" });
    const { code, stderr } = await s.update(["--yes", "--force"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Error: this roborev, ${s.path}, was installed by Homebrew. Update it with: brew upgrade roborev\n`,
    );
    expect([s.installed(), s.server.asked]).toEqual([old, []]);
    expect((await s.update(["--check"])).stdout).toBe(
      `roborev ${latest} is available, this is 0.0.1+abc. Update with: brew upgrade roborev\n`,
    );
  });

  test("leaves the daemon alone if asked to, and says how it is restarted", async () => {
    await using s = scene();
    await using daemon = await startDaemon(s.dataDir);
    const { code, stdout } = await s.update(["--yes", "--no-restart"]);
    expect([code, s.installed()]).toEqual([0, asBuilt]);
    expect(stdout).toEndWith("Daemon     left as it was. Restart it with: roborev daemon restart\n");
    expect(await daemon.send("GET", "/api/status")).toMatchObject({ body: { draining: false } });
  });

  test("without a daemon starts none, and tells programs what it did", async () => {
    await using s = scene();
    const { code, stdout, stderr } = await s.update(["--yes", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      updated: true,
      previous: "0.0.1+abc",
      version: built,
      path: s.path,
      daemon: null,
      refreshed: { hooks: null, skills: expect.any(Array) },
    });
    expect(existsSync(`${s.dataDir}/daemon.sock`)).toBe(false);
  });

  test("keeps the former program and says where, if the new one's daemon does not start", async () => {
    const broken = `#!/bin/sh\n[ "$1" = daemon ] && exit 3\nexec ${binary} "$@"\n`;
    await using s = scene({ program: broken });
    await using _ = await startDaemon(s.dataDir);
    const { code, stderr } = await s.update(["--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^Error: roborev \\S+ is installed, but the daemon ended at once with status 3.* The former program is kept as ${s.path}.before-update\n$`,
      ),
    );
    expect([s.installed(), s.beside()]).toEqual([broken, ["roborev", "roborev.before-update"]]);
    expect(readFileSync(`${s.path}.before-update`, "utf8")).toBe(old);
  }, 60_000);

  test("does not replace a development build, or one that runs from source, without being told to", async () => {
    await using s = scene({ version: "9.9.9-dev+abc" });
    const refused = await s.update(["--yes"]);
    expect([refused.code, s.installed()]).toEqual([1, old]);
    expect(refused.stderr).toContain("Replace it with: roborev update --force");
    const source = { version: "dev", platform: undefined, path: s.path };
    expect((await s.update(["--yes", "--force"], { program: source })).stderr).toContain("runs from source");
    expect([(await s.update(["--yes", "--force"])).code, s.installed()]).toEqual([0, asBuilt]);
  });

  test("does nothing where the release is not newer, and asks nobody who is not there", async () => {
    await using s = scene();
    const program = { version: "99.0.0", platform, path: s.path };
    const { code, stdout } = await s.update([], { program });
    expect([code, stdout]).toEqual([0, `roborev 99.0.0 is up to date, the latest release is ${latest}.\n`]);
    const refused = await s.update([]);
    expect([refused.code, s.installed()]).toEqual([2, old]);
    expect(refused.stderr).toContain("Confirm it with --yes.");
  });
});
