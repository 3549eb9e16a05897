import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { dumpAgentHooks } from "../../src/install/dump.ts";
import { installAgentHooks } from "../../src/install/install.ts";
import type { InstallOptions } from "../../src/install/options.ts";
import { uninstallAgentHooks } from "../../src/install/uninstall.ts";
import { tempDir } from "../support/temp.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

/** A home directory with an executable that answers as our hook does. */
function world(files: Record<string, string> = {}) {
  const dir = tempDir({ "bin/roborev": "#!/bin/sh\ncat >/dev/null\necho '{}'\n", ...files });
  chmodSync(dir.join("bin/roborev"), 0o755);
  const options = (more: Partial<InstallOptions> = {}): InstallOptions => ({
    timeout: "10s",
    dryRun: false,
    env: { HOME: dir.path, PATH: "/usr/bin:/bin" },
    execPath: dir.join("bin/roborev"),
    cwd: dir.path,
    dataDir: dir.join(".roborev"),
    socketPath: dir.join(".roborev/daemon.sock"),
    ...more,
  });
  const read = (file: string) => readFileSync(dir.join(file), "utf8");
  return { dir, options, read, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

const noAnswer = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error
    ? { message: error.message, exitCode: (error as { exitCode?: number }).exitCode }
    : error;
};

describe("install", () => {
  test("scenario 103: without --agent, those whose directory is there; the second run finds everything in place", async () => {
    using w = world({ ".codex/config.toml": "", ".claude/settings.json": '{\n  "model": "x"\n}\n' });
    const settings = w.dir.join(".claude/settings.json");
    const hooks = w.dir.join(".codex/hooks.json");
    const first = await installAgentHooks(w.options());
    expect(first.lines).toEqual([
      `installed Claude Code agent hooks in ${settings}`,
      `installed Codex agent hooks in ${hooks}`,
    ]);
    expect(first.failures).toEqual([]);
    expect(first.notices).toEqual([expect.stringMatching(/codex exec.*\/hooks/)]);
    const image = [w.read(".claude/settings.json"), w.read(".codex/hooks.json")];
    const second = await installAgentHooks(w.options());
    expect(second).toEqual({
      lines: [
        `Claude Code agent hooks already installed in ${settings}`,
        `Codex agent hooks already installed in ${hooks}`,
      ],
      notices: [],
      failures: [],
    });
    expect([w.read(".claude/settings.json"), w.read(".codex/hooks.json")]).toEqual(image);
    const command = `${w.dir.join("bin/roborev")} agent-hook run --agent codex '--source=roborev-agent-hook'`;
    const hook = { type: "command", command, timeout: 10 };
    const tool = { matcher: "^Bash$", hooks: [hook] };
    const whole = { hooks: { PreToolUse: [tool], PostToolUse: [tool], Stop: [{ hooks: [hook] }] } };
    expect(image[1]).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  });

  test("scenario 103: nothing detected, or an unknown name, is an error that says how to go on", async () => {
    using w = world();
    expect(await noAnswer(installAgentHooks(w.options()))).toEqual({
      message: "no coding agents were detected",
      exitCode: 1,
    });
    expect(await noAnswer(installAgentHooks(w.options({ agent: "vim" })))).toMatchObject({ exitCode: 2 });
  });

  test("scenarios 104, 105: options that do not go together are refused in the documented order", async () => {
    using w = world();
    const message = async (more: Partial<InstallOptions>) =>
      (await noAnswer(installAgentHooks(w.options(more)))) as { message: string };
    expect(await message({ binary: "/nope", command: "x" })).toMatchObject({
      message: "--binary and --command cannot be used together",
    });
    expect(await message({ binary: "/nope", timeout: "-5" })).toMatchObject({
      message: "resolve roborev binary: stat /nope: no such file",
      exitCode: 1,
    });
    expect(await message({ timeout: "-5", config: "x" })).toMatchObject({ message: "timeout must be >= 0" });
    expect(await message({ config: "x", command: "x" })).toMatchObject({
      message: "--config requires one explicit agent",
    });
    expect(await message({ command: "x", agent: "all" })).toMatchObject({
      message: "--command requires one explicit agent",
    });
  });

  test("scenario 108: a command for another profile is refused and no file appears", async () => {
    using w = world();
    const command = "roborev agent-hook run --agent claude";
    expect(await noAnswer(installAgentHooks(w.options({ agent: "codex", command })))).toEqual({
      message: "hook command selects claude, not codex",
      exitCode: 2,
    });
    expect(existsSync(w.dir.join(".codex"))).toBe(false);
  });

  test("scenario 107: a custom command is registered with the marker", async () => {
    using w = world();
    const command = `${w.dir.join("bin/roborev")} agent-hook run --turn-threshold 3 --agent codex`;
    const outcome = await installAgentHooks(w.options({ agent: "codex", command, timeout: "0" }));
    expect(outcome.failures).toEqual([]);
    const stop = JSON.parse(w.read(".codex/hooks.json")).hooks.Stop;
    expect(stop).toEqual([
      { hooks: [{ type: "command", command: `${command} --source=roborev-agent-hook` }] },
    ]);
  });

  test("--dry-run says what would change and writes nothing at all", async () => {
    using w = world({ ".codex/config.toml": "" });
    const { lines } = await installAgentHooks(w.options({ dryRun: true }));
    expect(lines).toEqual([`would update Codex agent hooks in ${w.dir.join(".codex/hooks.json")}`]);
    expect(existsSync(w.dir.join(".codex/hooks.json"))).toBe(false);
    expect(existsSync(w.dir.join(".roborev"))).toBe(false);
  });

  test("scenario 112: one agent fails with its name and file, the other is installed", async () => {
    using w = world({ ".claude/settings.json": '{\n  "a": 1\n  "b": 2\n}', ".codex/hooks.json": "{}" });
    const outcome = await installAgentHooks(w.options());
    const settings = w.dir.join(".claude/settings.json");
    expect(outcome.lines).toEqual([`installed Codex agent hooks in ${w.dir.join(".codex/hooks.json")}`]);
    expect(outcome.failures).toEqual([
      {
        displayName: "Claude Code",
        path: settings,
        cause: expect.stringMatching(/^at 3:3: comma expected\. /),
      },
    ]);
    expect(w.read(".claude/settings.json")).toBe('{\n  "a": 1\n  "b": 2\n}');
  });

  test("D29: another data directory than the default one is part of the command", async () => {
    using w = world();
    const dataDir = w.dir.join("my data");
    await installAgentHooks(w.options({ agent: "codex", dataDir, socketPath: join(dataDir, "daemon.sock") }));
    expect(w.read(".codex/hooks.json")).toContain(`--roborev-server 'unix://${dataDir}/daemon.sock'`);
  });

  test("T18: a command that does not answer as a hook is announced, and stays registered", async () => {
    using w = world();
    writeFileSync(w.dir.join("bin/roborev"), "#!/bin/sh\necho welcome\necho '{}'\n");
    const outcome = await installAgentHooks(w.options({ agent: "claude" }));
    expect(outcome.lines).toHaveLength(1);
    expect(outcome.failures).toEqual([]);
    expect(outcome.notices).toEqual([expect.stringContaining("did not answer with exactly one JSON object")]);
  });
});

describe("T5, T6: what stands at the path", () => {
  const install = (w: ReturnType<typeof world>) => installAgentHooks(w.options({ agent: "codex" }));

  test("a new file is 0600 in a new directory of 0700; an existing one keeps its mode", async () => {
    using w = world({ ".claude/settings.json": "{}" });
    chmodSync(w.dir.join(".claude/settings.json"), 0o644);
    await installAgentHooks(w.options({ agent: "all" }));
    expect(statSync(w.dir.join(".codex")).mode & 0o777).toBe(0o700);
    expect(statSync(w.dir.join(".codex/hooks.json")).mode & 0o777).toBe(0o600);
    expect(statSync(w.dir.join(".claude/settings.json")).mode & 0o777).toBe(0o644);
  });

  test("a chain of links stays, the file at its end is replaced", async () => {
    using w = world({ "dotfiles/hooks.json": "{}\n" });
    mkdirSync(w.dir.join(".codex"));
    symlinkSync("../dotfiles/hooks.json", w.dir.join("middle"));
    symlinkSync(w.dir.join("dotfiles/hooks.json"), w.dir.join("dotfiles/link"));
    symlinkSync("../dotfiles/link", w.dir.join(".codex/hooks.json"));
    await install(w);
    expect(readlinkSync(w.dir.join(".codex/hooks.json"))).toBe("../dotfiles/link");
    expect(lstatSync(w.dir.join("dotfiles/hooks.json")).isFile()).toBe(true);
    expect(w.read("dotfiles/hooks.json")).toContain("agent-hook run");
  });

  test.each<[string, (path: string) => void, string]>([
    ["a dangling link", (path) => symlinkSync("/nowhere/x", path), "is a symbolic link to nowhere"],
    ["a link to itself", (path) => symlinkSync(path, path), "symbolic links"],
    ["a directory", (path) => mkdirSync(path), "is not a regular file"],
    ["a FIFO", (path) => Bun.spawnSync(["mkfifo", path]), "is not a regular file"],
    [
      "one of several hard links",
      (path) => {
        writeFileSync(`${path}.other`, "{}");
        linkSync(`${path}.other`, path);
      },
      "has further hard links",
    ],
  ])("%s is refused and left alone", async (_, make, message) => {
    using w = world();
    mkdirSync(w.dir.join(".codex"));
    make(w.dir.join(".codex/hooks.json"));
    const { lines, failures } = await install(w);
    expect(lines).toEqual([]);
    expect(failures[0]?.cause).toContain(message);
    expect(failures[0]?.path).toBe(w.dir.join(".codex/hooks.json"));
  });
});

describe("dump", () => {
  test("scenario 110: prints the migrated file with its other keys and leaves it as it is", async () => {
    const legacy = { type: "command", command: "/old/roborev agent-hook run" };
    using w = world({ "my.json": JSON.stringify({ custom: 1, hooks: { Stop: [{ hooks: [legacy] }] } }) });
    const before = w.read("my.json");
    const { text } = await dumpAgentHooks(w.options({ agent: "codex", config: "my.json" }));
    expect(JSON.parse(text).custom).toBe(1);
    expect(text).not.toContain("/old/roborev");
    expect(w.read("my.json")).toBe(before);
    expect(existsSync(w.dir.join(".roborev"))).toBe(false);
  });

  test("a file that is not there yet is printed with two spaces and a final line break", async () => {
    using w = world();
    const { text } = await dumpAgentHooks(w.options({ agent: "codex" }));
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  test("needs one explicit agent, and names agent and file in its errors", async () => {
    using w = world({ ".codex/hooks.json": "{" });
    for (const agent of [undefined, "all"]) {
      expect(await noAnswer(dumpAgentHooks(w.options({ agent })))).toEqual({
        message: "dump requires one explicit agent",
        exitCode: 2,
      });
    }
    expect(await noAnswer(dumpAgentHooks(w.options({ agent: "codex" })))).toMatchObject({
      message: expect.stringContaining(`Codex (${w.dir.join(".codex/hooks.json")}): `),
    });
  });
});

describe("uninstall", () => {
  const world2 = () => world({ ".claude/settings.json": '{"hooks": { "Stop": [ ] }, "a":1}' });

  test("gives every byte back, and removes the file and directory that install made", async () => {
    using w = world2();
    const before = w.read(".claude/settings.json");
    await installAgentHooks(w.options({ agent: "all" }));
    await installAgentHooks(w.options({ agent: "all", timeout: "20s" }));
    const { lines, failures } = await uninstallAgentHooks(w.options({ agent: "all" }));
    expect(failures).toEqual([]);
    expect(lines.slice(0, 2)).toEqual([
      `removed Claude Code agent hooks from ${w.dir.join(".claude/settings.json")}`,
      `removed Codex agent hooks from ${w.dir.join(".codex/hooks.json")}`,
    ]);
    expect(w.read(".claude/settings.json")).toBe(before);
    expect(existsSync(w.dir.join(".codex"))).toBe(false);
  });

  test("a file that changed since keeps the change", async () => {
    using w = world2();
    await installAgentHooks(w.options({ agent: "all" }));
    for (const file of [".claude/settings.json", ".codex/hooks.json"]) {
      writeFileSync(w.dir.join(file), JSON.stringify({ ...JSON.parse(w.read(file)), b: 2 }));
    }
    await uninstallAgentHooks(w.options({ agent: "all" }));
    expect(JSON.parse(w.read(".claude/settings.json"))).toEqual({ a: 1, b: 2 });
    expect(JSON.parse(w.read(".codex/hooks.json"))).toEqual({ b: 2 });
  });

  test("where nothing is installed it succeeds, and --dry-run writes nothing", async () => {
    using w = world2();
    const settings = w.dir.join(".claude/settings.json");
    expect((await uninstallAgentHooks(w.options())).lines).toEqual([
      `Claude Code agent hooks not installed in ${settings}`,
    ]);
    expect(existsSync(w.dir.join(".roborev"))).toBe(false);
    await installAgentHooks(w.options());
    const image = w.read(".claude/settings.json");
    expect((await uninstallAgentHooks(w.options({ dryRun: true }))).lines).toEqual([
      `would remove Claude Code agent hooks from ${settings}`,
    ]);
    expect(w.read(".claude/settings.json")).toBe(image);
  });
});
