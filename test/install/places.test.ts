import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dumpAgentHooks } from "../../src/install/dump.ts";
import { installAgentHooks } from "../../src/install/install.ts";
import type { InstallOptions } from "../../src/install/options.ts";
import { uninstallAgentHooks } from "../../src/install/uninstall.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

function world(files: Record<string, unknown> = {}) {
  const dir = tempDir({ "bin/roborev": "#!/bin/sh\ncat >/dev/null\necho '{}'\n" });
  chmodSync(dir.join("bin/roborev"), 0o755);
  for (const [name, content] of Object.entries(files)) {
    Bun.spawnSync(["mkdir", "-p", dir.join(".factory", name, "..")]);
    writeFileSync(
      dir.join(".factory", name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  }
  const options = (more: Partial<InstallOptions> = {}): InstallOptions => ({
    agent: "droid",
    timeout: "10s",
    dryRun: false,
    env: { HOME: dir.path, PATH: "/usr/bin:/bin" },
    execPath: dir.join("bin/roborev"),
    cwd: dir.path,
    dataDir: dir.join(".roborev"),
    socketPath: dir.join(".roborev/daemon.sock"),
    ...more,
  });
  const path = (file: string) => dir.join(".factory", file);
  const read = (file: string) => readFileSync(path(file), "utf8");
  /** How many registrations of ours a file holds. */
  const count = (file: string) =>
    existsSync(path(file)) ? read(file).split("--source=roborev-agent-hook").length - 1 : -1;
  const counts = () => ["hooks.json", "hooks/hooks.json", "settings.json"].map(count);
  return { dir, options, path, read, counts, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

const theirs = { Stop: [{ hooks: [{ type: "command", command: "theirs" }] }] };
const oldOurs = {
  Stop: [
    {
      hooks: [
        { type: "command", command: "/old/roborev agent-hook run --agent droid --source=roborev-agent-hook" },
      ],
    },
  ],
};

describe("D32: Droid reads the first of its files that holds hooks, and so the install goes there", () => {
  test.each<[string, Record<string, unknown>, string, number[]]>([
    ["nothing there: a new hooks.json", {}, "hooks.json", [3, -1, -1]],
    [
      "hooks.json with hooks",
      { "hooks.json": theirs, "settings.json": { hooks: theirs } },
      "hooks.json",
      [3, -1, 0],
    ],
    [
      "the old place",
      { "hooks/hooks.json": theirs, "settings.json": { hooks: theirs } },
      "hooks/hooks.json",
      [-1, 3, 0],
    ],
    ["settings.json", { "settings.json": { model: "x", hooks: theirs } }, "settings.json", [-1, -1, 3]],
    ["settings.json without hooks", { "settings.json": { model: "x" } }, "hooks.json", [3, -1, 0]],
    [
      "an empty hooks.json beside settings.json",
      { "hooks.json": {}, "settings.json": { hooks: theirs } },
      "settings.json",
      [0, -1, 3],
    ],
    [
      "a hooks.json that only looks like it",
      { "hooks.json": { hooks: theirs }, "settings.json": { hooks: theirs } },
      "settings.json",
      [0, -1, 3],
    ],
    [
      "a hooks.json of ours alone that switches off settings.json",
      { "hooks.json": oldOurs, "settings.json": { hooks: theirs } },
      "settings.json",
      [0, -1, 3],
    ],
    [
      "ours in every place, and wrapped",
      {
        "hooks.json": { hooks: oldOurs, ...theirs },
        "hooks/hooks.json": oldOurs,
        "settings.json": { hooks: oldOurs },
      },
      "hooks.json",
      [3, 0, 0],
    ],
  ])("%s", async (_, files, chosen, counts) => {
    using w = world(files);
    const dumped = await dumpAgentHooks(w.options());
    const first = await installAgentHooks(w.options());
    expect(first).toMatchObject({ failures: [], notices: [] });
    expect(first.lines).toEqual([`installed Factory Droid agent hooks in ${w.path(chosen)}`]);
    expect(w.counts()).toEqual(counts);
    expect(w.read(chosen)).toBe(dumped.text);
    for (const file of Object.keys(files)) {
      const had = JSON.stringify(files[file]).includes('"theirs"');
      expect(w.read(file).includes('"theirs"')).toBe(had);
    }
    const second = await installAgentHooks(w.options());
    expect(second.lines).toEqual([`Factory Droid agent hooks already installed in ${w.path(chosen)}`]);
    expect((await uninstallAgentHooks(w.options())).lines[0]).toStartWith(
      "removed Factory Droid agent hooks from",
    );
    expect(w.counts().every((n) => n <= 0)).toBe(true);
    for (const [file, content] of Object.entries(files)) {
      if (!JSON.stringify(content).includes("/old/")) expect(w.read(file)).toBe(JSON.stringify(content));
    }
  });

  test("a file of them that does not parse may hold hooks: nothing is changed anywhere", async () => {
    using w = world({ "hooks.json": '{"Stop": [', "settings.json": { hooks: oldOurs } });
    const { failures, lines } = await installAgentHooks(w.options());
    expect(lines).toEqual([]);
    expect(failures).toMatchObject([
      { displayName: "Factory Droid", cause: expect.stringContaining("at 1:11: ") },
    ]);
    expect(w.counts()).toEqual([0, -1, 1]);
  });

  test("--config names one file: its name says how hooks stand in it, and no other is touched", async () => {
    using w = world({ "hooks.json": oldOurs });
    for (const [name, key] of [
      ["settings.json", "hooks"],
      ["my.json", "Stop"],
    ] as const) {
      const config = w.dir.join(name);
      expect((await installAgentHooks(w.options({ config }))).failures).toEqual([]);
      expect(JSON.parse(readFileSync(config, "utf8"))).toHaveProperty(key);
    }
    expect(w.counts()).toEqual([1, -1, -1]);
  });

  test("scenario 113: a project's file is refused by its name and left alone, the user's installed", async () => {
    using w = world();
    Bun.spawnSync(["mkdir", "-p", w.dir.join("repo/.git"), w.dir.join("repo/.factory")]);
    const config = ".factory/hooks.json";
    const { lines, failures } = await installAgentHooks(w.options({ config, cwd: w.dir.join("repo") }));
    expect(lines).toEqual([]);
    expect(failures).toMatchObject([
      {
        path: w.dir.join("repo", config),
        cause: expect.stringContaining("project-scoped Factory Droid hook config"),
      },
    ]);
    expect(existsSync(w.dir.join("repo", config))).toBe(false);
    expect((await installAgentHooks(w.options({ cwd: w.dir.join("repo") }))).failures).toEqual([]);
  });

  test("--dry-run tells the file and writes none of them", async () => {
    using w = world({ "hooks.json": oldOurs, "settings.json": { hooks: theirs } });
    expect((await installAgentHooks(w.options({ dryRun: true }))).lines).toEqual([
      `would update Factory Droid agent hooks in ${w.path("settings.json")}`,
    ]);
    expect(w.counts()).toEqual([1, -1, 0]);
  });

  test("FACTORY_HOME_OVERRIDE moves the whole folder", async () => {
    using w = world();
    const env = { HOME: w.dir.path, PATH: "/usr/bin:/bin", FACTORY_HOME_OVERRIDE: w.dir.join("other") };
    expect((await installAgentHooks(w.options({ env }))).lines).toEqual([
      `installed Factory Droid agent hooks in ${w.dir.join("other/.factory/hooks.json")}`,
    ]);
  });
});
