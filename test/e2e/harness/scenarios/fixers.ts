import { commandKey } from "../../../../src/config/agent-name.ts";
import { hookState, leaveFailedReview, type Scenario, type Stage } from "../scenario.ts";
import type { Scene } from "../scene.ts";

const file = "old.txt";
const mend = `printf 'fixed\\n' > ${file}`;
const commit = `git add -A && git commit -q -m 'Mend ${file}'`;
const account = { text: "I corrected the line.\n\nFINDING 1: FIXED - the line says what it should" };

/** The program as the one that fixes, on the user's own settings, and a review that failed: job 1. */
async function open({ open, program }: Stage): Promise<Scene> {
  const agent = program.reviewer;
  if (agent === undefined) throw new Error(`${program.name} fixes nothing here`);
  const config = `fix_agent = ${JSON.stringify(agent)}\n${commandKey(agent)} = ${JSON.stringify(program.path)}\n`;
  const scene = await open({ config });
  await leaveFailedReview(scene, file);
  return scene;
}

interface Shown {
  job: { closed?: boolean };
  comments: { responder: string; response: string }[];
}

const shown = async (scene: Scene): Promise<Shown> =>
  JSON.parse((await scene.roborev("show", "--job", "1", "--json")).stdout);

const commits = async (scene: Scene) => Number(await scene.git("rev-list", "--count", "HEAD"));

/** What holds once the review is dealt with by one commit. */
async function dealtWith({ check, equal }: Stage, scene: Scene, before: number): Promise<void> {
  equal("one commit came of it", (await commits(scene)) - before, 1);
  equal("the working tree is clean", await scene.git("status", "--porcelain"), "");
  equal("the file is mended", await Bun.file(`${scene.repo}/${file}`).text(), "fixed\n");
  const { job, comments } = await shown(scene);
  equal("the review is closed", job.closed, true);
  const said = comments
    .filter(({ responder }) => responder === "roborev-fix")
    .map(({ response }) => response);
  check(
    "the agent's account stands below it",
    said.join("\n").includes("the line says what it should"),
    said,
  );
  equal("the agent is no session", Object.keys((await hookState(scene)).sessions), []);
  await scene.roborev("wait", "--quiet");
  equal("the review of the commit passed", (await scene.jobs())[0]?.verdict, "P");
}

/** The programs as those that fix, in the working tree and in the background. */
export const fixerScenarios: Scenario[] = [
  {
    name: "fix-commits",
    shows: "fix",
    group: "review",
    promise: "an agent that mends and commits closes the review",
    async play(stage) {
      await using scene = await open(stage);
      const before = await commits(scene);
      const requests = scene.model.play([{ shell: `${mend} && ${commit}` }, account]);
      const ran = await scene.roborev("fix", "1");
      stage.equal("fix succeeds", [ran.exitCode, ran.exitCode === 0 ? "" : ran.stderr], [0, ""]);
      stage.check(
        "the model was given the finding",
        requests.some(({ text }) => text.includes(file) && text.includes("Correct it and remove the mark")),
      );
      await dealtWith(stage, scene, before);
    },
  },
  {
    name: "fix-asked-to-commit",
    shows: "fix",
    group: "review",
    promise:
      "an agent that did not commit is asked to, in the same session where the program can go on with one",
    async play(stage) {
      await using scene = await open(stage);
      const before = await commits(scene);
      const requests = scene.model.play([
        { shell: mend },
        account,
        { shell: commit },
        { text: "Committed." },
      ]);
      const ran = await scene.roborev("fix", "1");
      stage.equal("fix succeeds", [ran.exitCode, ran.exitCode === 0 ? "" : ran.stderr], [0, ""]);
      const last = requests.filter(({ kind }) => kind === "main").at(-1)?.text ?? "";
      const knows = last.includes("I corrected the line.");
      stage.equal("the session knows what it did before", knows, stage.program.forgets !== true);
      await dealtWith(stage, scene, before);
    },
  },
  {
    name: "fix-in-background",
    shows: "fix",
    group: "review",
    promise: "a fix in the background changes nothing until its patch is applied",
    async play(stage) {
      await using scene = await open(stage);
      const before = await commits(scene);
      scene.model.play([{ shell: mend }, account]);
      const queued = await scene.roborev("fix", "--background", "1");
      stage.equal("it is queued", queued.exitCode, 0);
      const waited = await scene.roborev("wait", "--job", "2");
      stage.equal("it is done", [waited.exitCode, (await scene.jobs())[0]?.error ?? ""], [0, ""]);
      stage.equal(
        "nothing changed",
        [await commits(scene), (await shown(scene)).job.closed],
        [before, false],
      );
      const applied = await scene.roborev("fix", "--apply", "2");
      stage.equal(
        "its patch applies",
        [applied.exitCode, applied.exitCode === 0 ? "" : applied.stderr],
        [0, ""],
      );
      await dealtWith(stage, scene, before);
    },
  },
];
