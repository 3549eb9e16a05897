import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  commandsInReminder,
  commandsInSkill,
  followed,
  nameOf,
  newestText,
  thenSteps,
  type Words,
  workOff,
} from "../follow.ts";
import { arrivals, askedToFinish, type Step } from "../model.ts";
import { done, failuresIn, look, reviewsDone, type Scenario, type Stage } from "../scenario.ts";
import type { Scene, SessionRun } from "../scene.ts";

/** The texts of reminder and skill, taken at their word. */
export const followScenarios: Scenario[] = [
  {
    name: "follow-reminder",
    group: "journey",
    shows: "texts",
    needs: "readsTexts",
    promise: "without the skill, the commands that the reminder names deal with every review that it names",
    async play(stage) {
      await using scene = await opened(stage);
      rmSync(skillFile(scene, ".."), { recursive: true });
      const named: string[] = [];
      const run = await scene.session([
        ...told,
        ...thenSteps((_, body) => {
          const commands = commandsInReminder(newestText(body, "Review job ids: 2, 1"));
          named.push(...commands.map(nameOf));
          const each = commands.filter((command) => /\bID\b/.test(command));
          const [last = "", ...first] = commands.filter((command) => !each.includes(command)).toReversed();
          return [
            ...first.toReversed().map((shell): Step => ({ shell })),
            ...workOff([2, 1], each, last, { words, commit: correction }),
          ];
        }),
      ]);
      stage.equal("the reminder names the commands, in their order", named, [
        "skills install",
        "fix",
        "show",
        "comment",
        "close",
        "agent-hook fix-done",
      ]);
      did(stage, run, ["Job 2 · "]);
      await dealtWith(stage, scene, run, words.summary);
      stage.check("without the skill, the program tells its model of none", !hearsOfSkill(run));
      stage.check("the skill is there for the next time", await Bun.file(skillFile(scene)).exists());
    },
  },
  {
    name: "follow-skill",
    group: "journey",
    shows: "texts",
    needs: "readsTexts",
    promise: "the skill that the reminder names is there, and its commands deal with every review",
    async play(stage) {
      await using scene = await opened(stage);
      let reminder = "";
      let named: string[] = [];
      const run = await scene.session([
        ...told,
        (_, body) => {
          reminder = newestText(body, "Review job ids: 2, 1");
          return { skill: "roborev-fix", path: skillFile(scene) };
        },
        ...thenSteps((_, body) => {
          const commands = commandsInSkill(newestText(body, "# Fix what roborev found"));
          named = commands.map(nameOf);
          // Every finding is fixed or refuted here, and none deferred.
          const each = commands.filter((command) => /\bN\b/.test(command) && !command.includes("--deferred"));
          const last = commandsInReminder(reminder).at(-1) ?? "";
          return workOff([2, 1], each, last, { words, commit: correction });
        }),
      ]);
      stage.check(
        "the reminder names the skill and misses none",
        reminder.includes("use the roborev-fix skill (`") && !reminder.includes("skills install"),
        reminder,
      );
      stage.equal("the skill names the commands, in their order", named, [
        "fix",
        "show",
        "comment",
        "comment",
        "comment",
        "comment",
        "close",
      ]);
      stage.check("the program tells its model of the skill", hearsOfSkill(run));
      const became = (id: number) => [
        `Findings 1 and 3 of job ${id} are fixed`,
        `Finding 2 of job ${id} is refuted`,
      ];
      did(stage, run, [...became(1), ...became(2)]);
      await dealtWith(stage, scene, run, words.account);
    },
  },
];

const words: Words = {
  summary: "It's right, the first and the third line are corrected (see the commit).",
  account: 'It\'s done: the "first" and third line cost $5, `false` is none.\nThe second is fine.',
};

const skillFile = (scene: Scene, name = "SKILL.md"): string => join(scene.config, "skills/roborev-fix", name);

/** Whether the skill stands among those that the program lists, before anybody speaks of it. */
const hearsOfSkill = ({ main }: SessionRun): boolean => JSON.stringify(main[0]?.body).includes("roborev-fix");

/** Two commits of before the session, of which every review names three findings. */
async function opened(stage: Stage): Promise<Scene> {
  const scene = await stage.open({ config: failuresIn(stage.program.harness.settingsSection) });
  for (const file of ["a.txt", "b.txt"]) {
    await Bun.write(join(scene.repo, file), "BUG: one\nBUG: two\nBUG: three\n");
    await scene.git("add", "-A");
    await scene.git("commit", "-q", "-m", `Add ${file}`);
  }
  await reviewsDone(scene, 2);
  return scene;
}

/** Until the reminder stands in the request; a command that fails on the way shows how the program says so. */
const told: Step[] = [{ shell: "sh -c 'exit 3'" }, look];

/** Corrects the file that the review names, as the model reads it in its newest result. */
function correction(request: string): string {
  const file = [...request.matchAll(/([ab]\.txt):\d/g)].at(-1)?.[1] ?? "nothing.txt";
  return `sed -i '2!s/BUG: .*/fixed/' ${file} && git commit -a -m 'Correct ${file}'`;
}

/** How the programs show their model that a command failed. */
const failure = /(?:exit code|exited with code|exit_code\\*")[: ]+\d*[1-9]/gi;

function did(stage: Stage, run: SessionRun, said: string[]): void {
  stage.equal("the session ends well", run.exitCode, 0);
  const all = run.main.at(-1)?.text ?? "";
  stage.equal("no command fails but the one that was meant to", all.match(failure)?.length, 1);
  const ofJob = (id: number) => [`Comment added to job ${id}`, `Job ${id} closed`];
  for (const text of [...said, ...ofJob(1), ...ofJob(2), "Completed Agent Hook fix session"]) {
    stage.check(`a command says "${text}"`, all.includes(text), all.slice(-1500));
  }
}

async function dealtWith(stage: Stage, scene: Scene, run: SessionRun, comment: string): Promise<void> {
  await reviewsDone(scene, 4);
  stage.equal(
    "every review was read, and its file corrected",
    await scene.git("log", "-2", "--format=%s"),
    "Correct a.txt\nCorrect b.txt\n",
  );
  const [newest, before] = await scene.jobs();
  stage.equal("the reviews of the fixes pass", [newest?.verdict, before?.verdict], ["P", "P"]);
  for (const id of [1, 2]) {
    stage.equal(`the reminder of job ${id} arrives once`, arrivals(run.requests, id).length, 1);
    const { stdout } = await scene.roborev("show", "--job", String(id), "--json");
    stage.check(`job ${id} is closed`, /"closed":\s*true/.test(stdout), stdout);
    const told = JSON.stringify(comment).slice(1, -1);
    stage.check("with the comment as it was written", stdout.includes(told), stdout);
  }
  stage.equal("the end of the turn is let go", askedToFinish(run.requests), []);
  stage.check("and nothing else is asked after it", !run.main.some(({ text }) => text.includes(followed)));
  const log = await scene.roborev("agent-hook", "log", "--json");
  const stages = (JSON.parse(log.stdout) as { stage: string }[]).map(({ stage }) => stage);
  stage.equal("the delivery is known to have been acted on", stages, ["acted"]);
  const next = await scene.session([look, done(1), done(2)]);
  stage.equal(
    "the next session is told nothing",
    [next.exitCode, arrivals(next.requests), next.main.length],
    [0, [], 2],
  );
}
