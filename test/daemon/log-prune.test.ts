import { expect, test } from "bun:test";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { testDaemon } from "../support/daemon.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

test("a daemon that starts removes job logs of more than seven days ago", async () => {
  using dir = tempDir();
  const logs = dir.join("data/logs/jobs");
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const put = (name: string, days: number) => {
    const at = new Date(Date.now() - days * 24 * 3_600_000);
    writeFileSync(`${logs}/${name}`, "text");
    utimesSync(`${logs}/${name}`, at, at);
  };
  put("1.log", 7.1);
  put("2.log", 6.9);
  await using _ = await testDaemon(dir.join("data"), { workers: 1 });
  await waitFor("the old log to go", () => !existsSync(`${logs}/1.log`));
  expect(existsSync(`${logs}/2.log`)).toBe(true);
});
