import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { arrivals, reminderPlace, type Step } from "../model.ts";
import {
  commitBug,
  commitReviewedBug,
  done,
  endFixSessions,
  failedJob,
  failuresIn,
  leaveFailedReview,
  look,
  reviewsDone,
  type Scenario,
  type Stage,
} from "../scenario.ts";
import type { Scene, SessionRun } from "../scene.ts";

/** What every harness owes its user, on one repository, from the installation to its end. */
export const journeyScenarios: Scenario[] = [
  {
    name: "journey",
    group: "journey",
    promise: "installed, told after a tool and at a turn's end, silent when it should be, and gone again",
    async play(stage) {
      const config = failuresIn(stage.program.harness.settingsSection);
      await using scene = await stage.open({ config, hooked: false });
      await stage.shows("uninstall", () => installsWithoutTrace(stage, scene));
      const before = hookFiles(scene);
      stage.equal("it installs", (await scene.install()).exitCode, 0);
      await toldAfterTool(stage, scene);
      await endFixSessions(scene);
      await stage.shows("snooze", () => snoozed(stage, scene));
      await toldAtTurnEnd(stage, scene);
      await endFixSessions(scene);
      const quiet = await stage.shows("close", () => closed(stage, scene));
      await stage.shows("daemon", () => withoutDaemon(stage, scene, quiet));
      await stage.shows("uninstall", async () => {
        await scene.roborev("agent-hook", "uninstall", "--agent", scene.program.name);
        stage.equal("after it all, uninstalling leaves what was there before", hookFiles(scene), before);
      });
    },
  },
];

/** The files in which the program may look for hooks, by name. */
function hookFiles(scene: Scene): Record<string, string | undefined> {
  const { file, alternatives = [] } = scene.program.harness.config;
  const names = [file, ...alternatives.map((other) => other.file)];
  return Object.fromEntries(names.map((name) => [name, contentOf(join(scene.config, name))]));
}

const contentOf = (path: string): string | undefined =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;

/** All that a home holds but for our own data and the skills, which an uninstall leaves. */
function homeOf(scene: Scene): Record<string, string> {
  const files = [...new Bun.Glob("**/*").scanSync({ cwd: scene.home, dot: true })].sort();
  const others = files.filter((file) => !/^\.roborev\/|\/skills\//.test(file));
  return Object.fromEntries(others.map((file) => [file, readFileSync(join(scene.home, file), "utf8")]));
}

async function installsWithoutTrace(stage: Stage, scene: Scene): Promise<void> {
  const before = homeOf(scene);
  const agent = ["--agent", scene.program.name];
  await scene.roborev("agent-hook", "install", ...agent);
  stage.check("installing changes the configuration", !Bun.deepEquals(homeOf(scene), before));
  stage.equal("uninstalling works", (await scene.roborev("agent-hook", "uninstall", ...agent)).exitCode, 0);
  stage.equal("and leaves every file byte for byte as it was", homeOf(scene), before);
}

/** The agent's way to a commit, and in which request its reminder may stand; it is reviewed before the last step. */
function commitSteps(scene: Scene): { steps: Step[]; expected: number[] } {
  const { harness, commitsAlone } = scene.program;
  const reviewed = async () => {
    await reviewsDone(scene, 1);
    return { shell: "echo LOOKED" };
  };
  if (commitsAlone) {
    const stageBug = { shell: "printf 'BUG: here\\n' > a.txt && git add -A" };
    const commit = { shell: `git -C ${scene.repo} commit -m 'Add a.txt'` };
    return { steps: [stageBug, commit, reviewed], expected: [2, 3] };
  }
  // Where the agent's git runs no hooks, the commit is queued by our own hook, after the tool.
  if (harness.withoutGitHooks) return { steps: [{ shell: commitBug("a.txt") }, reviewed], expected: [1, 2] };
  return { steps: [{ shell: commitReviewedBug("a.txt") }, look], expected: [1] };
}

async function toldAfterTool(stage: Stage, scene: Scene): Promise<void> {
  const { program } = scene;
  const { steps, expected } = commitSteps(scene);
  const run = await scene.session([...steps, done(1), done(2), done(3)]);
  stage.check("the session that commits ends well", run.exitCode === 0, run);
  const { id } = await failedJob(scene);
  stage.equal("the commit is there", await scene.git("log", "-1", "--format=%s"), "Add a.txt\n");
  const seen = arrivals(run.requests, id);
  stage.equal("the reminder arrives once", seen.length, 1);
  const at = seen[0] ?? 0;
  if (program.hearsAfterTool) {
    stage.check("with a tool's result", expected.includes(at), seen);
    const request = run.main[at];
    if (expected.includes(at) && request) stage.facts.afterTool.place = reminderPlace(request);
  } else stage.equal("at the end of the turn", at, steps.length + 1);
  stage.check(
    "beside the tool's own output",
    run.main[steps.length]?.text.includes(program.commitsAlone ? "1 file changed" : "COMMITTED") === true,
  );
}

async function snoozed(stage: Stage, scene: Scene): Promise<void> {
  await scene.roborev("snooze");
  const run = await scene.session([look, done(1), done(2)]);
  stage.equal(
    "snoozed, nothing arrives",
    [run.exitCode, arrivals(run.requests), run.main.length],
    [0, [], 2],
  );
  await scene.roborev("snooze", "off");
}

async function toldAtTurnEnd(stage: Stage, scene: Scene): Promise<void> {
  const { id } = await failedJob(scene);
  const run = await scene.session([done(1), done(2), done(3)]);
  stage.equal("the session that only talks ends well", run.exitCode, 0);
  const seen = arrivals(run.requests, id);
  stage.equal("the reminder arrives at the end of its turn, once", seen, [1]);
  const place = run.main[1];
  if (seen.length === 1 && place) stage.facts.turnEnd.place = reminderPlace(place);
}

async function closed(stage: Stage, scene: Scene): Promise<SessionRun> {
  const { id } = await failedJob(scene);
  await scene.roborev("close", String(id));
  const run = await scene.session([look, done(1), done(2)]);
  stage.equal("closed, nothing arrives", [run.exitCode, arrivals(run.requests), run.main.length], [0, [], 2]);
  return run;
}

const allowedDelayMs = 2000;

/** With a review that fails, which would be told: the same session as `quiet` was. */
async function withoutDaemon(stage: Stage, scene: Scene, quiet: SessionRun): Promise<void> {
  await leaveFailedReview(scene, "b.txt");
  await scene.roborev("daemon", "stop");
  const same = (what: string, seen: unknown, expected: unknown) =>
    stage.equal(`without a daemon, ${what}`, seen, expected);
  let run = await scene.session([look, done(1), done(2)]);
  // Others on this machine may have taken their time from it, where a hook that waits would do so each time.
  for (let more = 0; more < 3 && run.ms - quiet.ms > allowedDelayMs; more++) {
    run = await scene.session([look, done(1), done(2)]);
  }
  same("the same exit status", run.exitCode, quiet.exitCode);
  same("the same output", run.stdout, quiet.stdout);
  same("as many requests", run.main.length, quiet.main.length);
  same("nothing arrives", arrivals(run.requests), []);
  same("no delay of more than 2 s", run.ms - quiet.ms > allowedDelayMs ? run.ms - quiet.ms : "none", "none");
  const status = await scene.roborev("status", "--json");
  same("and none is started", JSON.parse(status.stdout), { running: false });
}
