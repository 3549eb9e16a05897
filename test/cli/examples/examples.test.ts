import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDaemonClient } from "../../../src/client/daemon.ts";
import { daemonSocketPath } from "../../../src/client/socket-path.ts";
import { git } from "../../support/repo.ts";
import { onTerminal } from "../../support/terminal.ts";
import { waitFor } from "../../support/wait.ts";
import { runCli } from "../run-cli.ts";
import { scene as updateScene } from "../update/scene.ts";
import { everyCommand, everyGroup } from "./every-command.ts";
import { examplesScene, knowGone, type Scene, shop } from "./scene.ts";
import { toldCommands } from "./told.ts";

setDefaultTimeout(20_000);

let scene: Scene;
beforeAll(async () => {
  scene = await examplesScene();
});
afterEach(() => scene.restore());
afterAll(() => scene[Symbol.asyncDispose]());

const cli = async (...argv: string[]) => {
  const result = await runCli(argv, { cwd: shop() });
  if (result.code > 1) throw new Error(`${argv.join(" ")}: ${result.stderr}`);
};
const client = (dataDir = process.env.ROBOREV_DATA_DIR as string) =>
  createDaemonClient(daemonSocketPath(dataDir));
const home = (name: string) => join(process.env.HOME as string, name);
const moved = (from: string, to: string) => renameSync(home(from), home(to));

/** How an example is run where it needs more than the scene has. */
interface Setting {
  before?(): Promise<unknown>;
  after?(): Promise<unknown>;
  /** The exit status that its help declares for what happens here. Default 0. */
  code?: number;
  run?(example: string): Promise<{ code: number; stderr: string; stdout?: string }>;
}

/** A verdict, or programs that do not answer: what was asked for. */
const failing = { code: 1 };

/** Starts itself again, or takes a way of its own. */
const compiled: Setting = { run: (example) => scene.runCompiled(example) };

/** A session that has called its hook. */
const hooked: Setting = {
  before: () => scene.runCompiled("roborev agent-hook run --agent claude < payload.json"),
};

/** A second repository that is set up and may be lost. */
const elsewhere: Setting = {
  async before() {
    if (!existsSync(home("other/.git"))) git(home("other"), "init", "-q");
    await scene.run("roborev init", { cwd: home("other") });
  },
  run: (example) => scene.run(example, { cwd: home("other") }),
};

/** A daemon of its own: the one of the others is needed. */
const ownDaemon: Setting = {
  run: (example) => scene.runCompiled(example, { ROBOREV_DATA_DIR: home("second") }),
};

const onScreen: Setting = {
  async run(example) {
    const options = { cwd: shop(), env: { TERM: "xterm" }, keys: "q" };
    const { code, text } = await onTerminal(["/bin/sh", "-c", example], options);
    return { code, stderr: text };
  },
};

/** A program that there is a newer release of, and somebody who says yes. */
const outdated: Setting = {
  async run(example) {
    await using installed = updateScene();
    return await installed.update(example.split(" ").slice(2), { confirm: true });
  },
};

/** Interrupted as soon as something was told. */
async function streamed(example: string) {
  const interrupt = new AbortController();
  let isTold = false;
  const running = scene.run(example, {
    signal: interrupt.signal,
    onOutput: (text) => {
      isTold = text.includes('"review.commented"');
    },
  });
  await waitFor("an event", async () => {
    await cli("comment", "43", "Read.");
    return isTold;
  });
  interrupt.abort();
  return await running;
}

/** The number of a background fix is another one, as others were queued before. */
async function applied(example: string) {
  const [fix] = JSON.parse((await scene.run("roborev fix --background 42 --json")).stdout);
  await cli("wait", "--job", String(fix.id));
  return await scene.run(example.replace("44", String(fix.id)));
}

/** By example, or by command. */
const settings: Record<string, Setting> = {
  "repo rename": { after: () => cli("repo", "rename", ".", "shop") },
  "roborev repo move shop ~/src/shop": {
    async before() {
      moved("src/shop", "src/was");
      await runCli(["repo", "move", "shop", home("src/was")], { cwd: home("src") });
      moved("src/was", "src/shop");
    },
  },
  "roborev repo move /old/shop .": {
    async before() {
      await knowGone("/old/shop", "old-shop");
      git(home("fresh"), "init", "-q");
    },
    run: (example) => scene.run(example, { cwd: home("fresh") }),
  },
  "repo delete": {
    before: () => cli("repo", "rename", ".", "mine").then(() => knowGone("/gone/shop", "shop")),
    after: () => cli("repo", "rename", ".", "shop"),
  },
  "repo merge": { before: () => knowGone("/old/shop", "old-shop") },
  init: elsewhere,
  uninit: elsewhere,
  "roborev review HEAD~3 HEAD --wait": failing,
  "roborev review --dirty --agent codex": {
    before: async () => writeFileSync(join(shop(), "mean.js"), "export const mean = 2;\n"),
  },
  "roborev review --local": compiled,
  "agent-hook run": compiled,
  "roborev wait HEAD HEAD~1": failing,
  "roborev wait --job 42 --quiet": failing,
  tui: onScreen,
  stream: { run: streamed, code: 130 },
  cancel: {
    before: () => cli("pause").then(() => cli("rerun", "42")), // only what has not ended can be canceled
    after: async () => {
      await cli("unpause");
      await cli("rerun", "42");
      await cli("wait", "--job", "42");
    },
  },
  rerun: { after: () => cli("wait", "--job", "42") },
  close: { before: () => cli("close", "--reopen", "42", "43") },
  "roborev close --reopen 42": { before: () => cli("close", "42") },
  fix: { before: () => cli("close", "--reopen", "42", "43") },
  "roborev fix --apply 44": {
    before: () => cli("close", "--reopen", "42"),
    run: applied,
  },
  refine: {
    async before() {
      writeFileSync(join(shop(), "mode.js"), "export const mode = 2;\n"); // an agent at work is fix's example
      // Without the git hook: one review less to wait for.
      git(shop(), "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "Mend mode");
      for (const { id } of (await client().jobs({ closed: false })).jobs) await cli("close", String(id));
    },
  },
  "roborev agent-hook doctor": failing, // the example before has removed the hooks
  "agent-hook log": hooked,
  "agent-hook reset": hooked,
  "check-agents": failing,
  "roborev check-agents --agent codex --timeout 120": {},
  "roborev config get --local exclude_patterns": {
    before: () => cli("config", "set", "exclude_patterns", "vendor"),
  },
  "roborev config set --unset review_min_severity": {
    before: () => cli("config", "set", "review_min_severity", "high"),
  },
  "daemon run": {
    async run(example) {
      const running = scene.runCompiled(`exec ${example}`, { ROBOREV_DATA_DIR: home("second") });
      const second = client(home("second"));
      await waitFor("the daemon", () => second.ping().catch(() => undefined));
      await second.shutdown();
      return await running;
    },
  },
  update: outdated,
  "daemon start": ownDaemon,
  "daemon stop": ownDaemon,
  "daemon restart": ownDaemon,
  "daemon status": ownDaemon,
  "daemon install-service": ownDaemon,
  "daemon uninstall-service": {
    ...ownDaemon,
    after: () => scene.runCompiled("roborev daemon stop", { ROBOREV_DATA_DIR: home("second") }),
  },
};

/** Told by tests of their own: test/cli/process.test.ts runs the whole demo, test/cli/update what comes from the network. */
const elsewhereTested = ["demo", "update"];

for (const { words, group } of everyGroup()) {
  const path = ["roborev", ...words].join(" ");
  test(`${path} --help shows examples of commands that are there`, async () => {
    const help = await runCli([...words, "--help"]);
    for (const example of group.examples) expect(help.stdout).toContain(`\n  ${example}\n`);
    expect(group.examples.length).toBeGreaterThan(0);
  });
}

const everyone = await everyCommand();

/** The command that a line is about: the one with the most of its words. */
function pathOf(line: string): string | undefined {
  const paths = everyone.map(({ words }) => words.join(" ")).sort((a, b) => b.length - a.length);
  return paths.find((path) => `${line} `.startsWith(`roborev ${path} `));
}

async function play(example: string, path: string): Promise<void> {
  const setting = settings[example] ?? settings[path] ?? {};
  await setting.before?.();
  const { code, stderr } = await (setting.run ?? scene.run)(example);
  const expected = setting.code ?? 0;
  expect([code, code === expected ? "" : stderr]).toEqual([expected, ""]);
  await setting.after?.();
}

for (const { words, command } of everyone) {
  const path = words.join(" ");
  for (const example of elsewhereTested.includes(path) ? [] : command.examples)
    test(`as its help says: ${example}`, () => play(example, path));
}

const examples = new Set(everyone.flatMap(({ command }) => command.examples));
for (const line of toldCommands().filter((line) => !examples.has(line)))
  test(`as README or a page of docs says: ${line}`, () => play(line, pathOf(line) ?? ""));

/** A document a line, without end; and two whose own tests have the whole document. */
const otherwise = ["stream", "fix", "refine"];

for (const { words, command } of everyone) {
  const path = words.join(" ");
  if (command.json === false || elsewhereTested.includes(path) || otherwise.includes(path)) continue;
  test(`${path} --json prints one JSON document and nothing else on standard output`, async () => {
    const [example] = command.examples;
    const setting = settings[example] ?? settings[path] ?? {};
    await setting.before?.();
    const [typed = "", file] = example.split(" < ");
    const asked = `${typed} --json${file === undefined ? "" : ` < ${file}`}`;
    const { code, stdout = "" } = await (setting.run ?? scene.run)(asked);
    expect(JSON.parse(stdout)).toBeObject();
    expect(code).toBe(setting.code ?? 0);
    await setting.after?.();
  });
}
