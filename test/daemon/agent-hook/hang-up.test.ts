import { expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { daemonSocketPath } from "../../../src/client/socket-path.ts";
import type { HookResponse } from "../../../src/daemon/api/hook-event.ts";
import { startDaemon } from "../../support/daemon-process.ts";
import { testRepo } from "../../support/repo.ts";
import { tempDir } from "../../support/temp.ts";
import { waitFor } from "../../support/wait.ts";
import { turnEnd } from "./scene.ts";

/** A git on PATH that begins its work only once nobody holds it. */
function slowGit(bin: string) {
  mkdirSync(bin);
  const [hold, begun, over] = [`${bin}/hold`, `${bin}/begun`, `${bin}/over`];
  const held = `if [ -e ${hold} ]; then : > ${begun}; while [ -e ${hold} ]; do sleep 0.02; done; fi`;
  const script = `#!/bin/sh\n${held}\n${Bun.which("git")} "$@"\ncode=$?\n[ -e ${begun} ] && : > ${over}\nexit $code\n`;
  writeFileSync(`${bin}/git`, script, { mode: 0o755 });
  return {
    hold: () => writeFileSync(hold, ""),
    begun: () => existsSync(begun),
    release: () => rmSync(hold),
    over: () => existsSync(over),
  };
}

test("77 a hook that was ended while the daemon looked at git consumed nothing", async () => {
  using dir = tempDir();
  using repo = testRepo();
  writeFileSync(dir.join("included"), "");
  repo.git("config", "include.path", dir.join("included")); // only git itself can read such a repository
  const git = slowGit(dir.join("bin"));
  const dataDir = dir.join("data");
  mkdirSync(dataDir, { mode: 0o700 });
  await using daemon = await startDaemon(dataDir, { PATH: `${dir.join("bin")}:${process.env.PATH}` });
  await daemon.send("POST", "/api/repos/register", { repo_path: repo.path });
  const event = { session_id: "s1", cwd: repo.path, ...turnEnd };
  const request = { agent: "claude", event };

  git.hold();
  const hook = new AbortController();
  const gone = fetch("http://localhost/api/agent-hook/event", {
    unix: daemonSocketPath(dataDir),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
    signal: hook.signal,
  });
  await waitFor("the daemon to ask git", git.begun);
  hook.abort();
  await expect(gone).rejects.toThrow();
  await daemon.send("GET", "/api/ping"); // came after the end of the other connection
  git.release();
  await waitFor("git to answer", git.over);
  for (const count of [1, 2]) {
    const { body } = await daemon.send("POST", "/api/agent-hook/event", request);
    expect(body as HookResponse).toMatchObject({ count });
  }
}, 120_000);
