import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { type BinaryRun, roborev } from "../support/binary.ts";
import { testRepo } from "../support/repo.ts";
import { type ReviewScene, reviewScene } from "../support/review-scene.ts";
import { fixture } from "./world.ts";

// Scenario 120 with the compiled program on both sides: which source decides is seen by whether a session is reminded
// of four failed reviews, which is what the default asks for.

let scene: ReviewScene;
const repo = testRepo();
beforeAll(async () => {
  scene = await reviewScene();
  await scene.daemon.send("POST", "/api/repos/register", { repo_path: repo.path });
  for (let n = 0; n < 4; n++) {
    repo.commit(`bug ${n}`, { [`${n}.ts`]: `BUG: ${n}\n` });
    expect((await scene.reviewed(repo.path, { git_ref: "HEAD" })).verdict).toBe("F");
  }
}, 120_000);
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
});
beforeEach(() => rmSync(scene.dir.join("data/config.toml"), { force: true }));

const configure = (toml: string, file = "data/config.toml") => {
  writeFileSync(scene.dir.join(file), toml);
  return scene.dir.join(file);
};

let sessions = 0;

/** The end of the first turn of a new session. */
async function turnEnd(args: string[] = [], env: Record<string, string> = {}, agent = "claude") {
  const stdin = JSON.stringify({
    ...fixture(agent, "Stop"),
    cwd: repo.path,
    session_id: `s${++sessions}`,
  });
  const run = await roborev(["agent-hook", "run", "--agent", agent, ...args], {
    env: { ROBOREV_DATA_DIR: scene.dataDir, ...env },
    stdin,
  });
  const { reason: reminder = "" } = JSON.parse(run.stdout) as { reason?: string };
  // While one session is busy with the reviews of a working tree, no other is reminded of them.
  const fix = /agent-hook fix-done ([0-9a-f-]{36})`/.exec(reminder)?.[1];
  if (fix !== undefined) await scene.daemon.send("POST", "/api/agent-hook/fix-done", { fix_session_id: fix });
  return { ...run, reminder };
}

const isReminded = async (...call: Parameters<typeof turnEnd>) => {
  const { exitCode, stderr, reminder } = await turnEnd(...call);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return reminder !== "";
};

const failed = "ROBOREV_AGENT_HOOK_FAILED_REVIEW_THRESHOLD";
const droidFailed = "ROBOREV_DROID_HOOK_FAILED_REVIEW_THRESHOLD";
const section = (threshold: number, name = "agent_hook") =>
  `[${name}]\nfailed_review_threshold = ${threshold}\n`;

describe("120 the hook's settings", () => {
  test("flag beats variable beats section beats default", async () => {
    expect(await isReminded()).toBe(true);
    configure(section(5));
    expect(await isReminded()).toBe(false);
    expect(await isReminded([], { [failed]: "4" })).toBe(true);
    expect(await isReminded(["--failed-review-threshold", "5"], { [failed]: "4" })).toBe(false);
    expect(await isReminded(["--failed-review-threshold=4"], { [failed]: "5" })).toBe(true);
  });

  test("turns and instruction go the same way", async () => {
    configure(
      '[agent_hook]\nfailed_review_threshold = 0\nturn_threshold = 1\ninstruction = "From the file."\n',
    );
    expect((await turnEnd()).reminder).toContain("\n\nFrom the file. ");
    const env = {
      ROBOREV_AGENT_HOOK_TURN_THRESHOLD: "2",
      ROBOREV_AGENT_HOOK_INSTRUCTION: "From the variable.",
    };
    expect((await turnEnd([], env)).reminder).toBe("");
    expect((await turnEnd(["--turn-threshold", "1"], env)).reminder).toContain("\n\nFrom the variable. ");
    const flags = ["--turn-threshold", "1", "--instruction"];
    expect((await turnEnd([...flags, "From the flag."], env)).reminder).toContain("\n\nFrom the flag. ");
    expect((await turnEnd([...flags, ""], env)).reminder).toContain("\n\nAct on the open roborev findings");
  });

  test("0 switches a trigger off, wherever it is set", async () => {
    expect(await isReminded(["--failed-review-threshold", "0"], { [failed]: "1" })).toBe(false);
    expect(await isReminded([], { [failed]: "0" })).toBe(false);
    configure(section(0));
    expect(await isReminded()).toBe(false);
    expect(await isReminded(["--failed-review-threshold", "1"])).toBe(true);
  });

  test("Factory Droid has its own section and variables, and nobody else has them", async () => {
    configure(section(0));
    expect(await isReminded([], { [failed]: "0" }, "droid")).toBe(true);
    expect(await isReminded([], { [droidFailed]: "0" }, "droid")).toBe(false);
    configure(section(0, "droid_hook"));
    expect(await isReminded([], {}, "droid")).toBe(false);
    expect(await isReminded([], { [droidFailed]: "4" }, "droid")).toBe(true);
    expect(await isReminded([], { [droidFailed]: "0" })).toBe(true);
  });

  test.each(["five", "-1", "4.5"])("a variable that says %s is passed over with one line", async (value) => {
    configure(section(5));
    const { exitCode, stderr, reminder } = await turnEnd([], { [failed]: value });
    expect([exitCode, reminder]).toEqual([0, ""]);
    expect(stderr).toBe(
      `roborev agent-hook: ${failed} is ignored: "${value}" is not a whole number of 0 or more\n`,
    );
    expect(await isReminded(["--failed-review-threshold", "4"], { [failed]: value })).toBe(true);
  });

  test("a negative number in the file is passed over with one line, and the default holds", async () => {
    configure(section(-1));
    const { exitCode, stderr, reminder } = await turnEnd();
    expect([exitCode, reminder !== ""]).toEqual([0, true]);
    expect(stderr).toBe(
      'roborev agent-hook: [agent_hook] failed_review_threshold is ignored: "-1" is not a whole number of 0 or more\n',
    );
  });

  test("a negative flag is a mistake in the registration: exit 1, and still one object", async () => {
    expect(await turnEnd(["--failed-review-threshold", "-1"])).toMatchObject({
      exitCode: 1,
      stdout: "{}\n",
      stderr: "roborev agent-hook: --failed-review-threshold must be >= 0, got -1\n",
    });
  });

  test("--config changes thresholds and instruction, the guidelines stay those of the standard file", async () => {
    configure(`fix_guidelines = "Standard policy."\n${section(4)}`);
    const other = configure(
      `fix_guidelines = "Other policy."\n${section(5)}instruction = "From the other."\n`,
      "other.toml",
    );
    expect(await isReminded(["--config", other])).toBe(false);
    const { reminder } = await turnEnd(["--config", other], { [failed]: "4" });
    expect(reminder).toContain("\n\nFrom the other. ");
    expect(reminder).toEndWith("\n\nStandard policy.");
    const missing = await turnEnd(["--config", scene.dir.join("missing.toml")]);
    expect([missing.stderr, missing.reminder.endsWith("\n\nStandard policy.")]).toEqual(["", true]);
  });
});

describe("W6 a broken configuration file never breaks a hook", () => {
  const isOneLine = ({ exitCode, stderr }: BinaryRun, place: string) => {
    expect(exitCode).toBe(0);
    expect(stderr).toStartWith(`roborev agent-hook: ${place}`);
    expect(stderr.trimEnd()).not.toContain("\n");
  };

  test.each([
    ["no TOML", "[agent_hook\n", ":1:12: not valid TOML", true],
    ["a wrong value", '[agent_hook]\nfailed_review_threshold = "many"\n', ":2:1: `agent_hook.failed", true],
    ["another section's mistake", `max_workers = 0\n${section(5)}`, ":1:1: `max_workers`", false],
  ])(
    "%s: one line, and it goes on with what it last knew, else with what is right in the file, else the defaults",
    async (_, toml, problem, isByDefault) => {
      const path = configure(section(5));
      expect(await isReminded()).toBe(false);
      configure(toml);
      const kept = await turnEnd();
      isOneLine(kept, `${path}${problem}`);
      expect(kept.reminder).toBe("");
      expect((await turnEnd([], { [failed]: "4" })).reminder).not.toBe("");
      const other = configure(toml, `never-sound-${sessions}.toml`);
      const byDefault = await turnEnd(["--config", other]);
      isOneLine(byDefault, `${other}${problem}`);
      expect(byDefault.reminder !== "").toBe(isByDefault);
    },
  );

  test("a broken standard file beside a sound --config: one line, and that decides", async () => {
    const path = configure("[agent_hook\n");
    const other = configure(section(5), "sound.toml");
    const run = await turnEnd(["--config", other]);
    isOneLine(run, `${path}:1:12: not valid TOML`);
    expect(run.reminder).toBe("");
  });

  test("a --config that cannot be read at all: one line, the defaults, the standard guidelines", async () => {
    configure('fix_guidelines = "Standard policy."\n');
    const run = await turnEnd(["--config", scene.dir.path]);
    isOneLine(run, `cannot read the configuration ${scene.dir.path}: it is not a regular file`);
    expect(run.reminder).toEndWith("\n\nStandard policy.");
  });
});
