import { commandKey } from "../../../../src/config/agent-name.ts";
import { arrivals, type ModelRequest } from "../model.ts";
import { everyFailure, hookState, look, type Scenario, type Stage } from "../scenario.ts";
import type { Job, Scene } from "../scene.ts";

const failing = [
  "## Review Findings",
  "- **Severity**: High\n- **Location**: sum.js:1\n- **Problem**: `sum` subtracts.\n- **Fix**: Add instead.",
  "## Summary\nOne defect.",
].join("\n\n");

/** The program as reviewer, on the user's own settings: hooks of ours are installed for it as well. */
function open({ open, program }: Stage): Promise<Scene> {
  const reviewer = program.reviewer;
  if (reviewer === undefined) throw new Error(`${program.name} is no reviewer here`);
  const config = `${commandKey(reviewer)} = ${JSON.stringify(program.path)}\n${everyFailure}`;
  return open({ reviewer, config });
}

/** Commits with git alone and waits for the review. */
async function commitAndReview(scene: Scene, content: string): Promise<{ job: Job; exitCode: number }> {
  await Bun.write(`${scene.repo}/sum.js`, content);
  await scene.git("add", "-A");
  await scene.git("commit", "-q", "-m", "Change sum");
  const { exitCode } = await scene.roborev("wait", "--quiet");
  const [job] = await scene.jobs();
  if (job === undefined) throw new Error("there is no job");
  return { job, exitCode };
}

const mainOf = (requests: ModelRequest[]) => requests.filter(({ kind }) => kind === "main");

const wrong = "export const sum = (a, b) => a - b;\n";

/** The programs as reviewers of a commit, through the daemon. */
export const reviewerScenarios: Scenario[] = [
  {
    name: "review-fails",
    shows: "review",
    group: "review",
    promise: "a finding of the model is a failed review, and the next session is told",
    async play(stage) {
      const { check, equal, program } = stage;
      await using scene = await open(stage);
      const requests = scene.model.play([{ text: failing }]);
      const { job, exitCode } = await commitAndReview(scene, wrong);
      equal("the job is done", [job.status, job.verdict, job.agent], ["done", "F", program.reviewer]);
      equal("wait says so", exitCode, 1);
      check(
        "the model was given the diff",
        requests.some(({ text }) => text.includes("a - b")),
      );
      const { stdout } = await scene.roborev("show", "--job", String(job.id), "--json");
      check("the finding is kept", stdout.includes("subtracts"), stdout);
      equal("the reviewer is no session", Object.keys((await hookState(scene)).sessions), []);
      const run = await scene.session([look, { text: "DONE" }]);
      equal("the next session is told", arrivals(run.requests, job.id), [1]);
    },
  },
  {
    name: "review-passes",
    shows: "review",
    group: "review",
    promise: "a review that finds nothing passes",
    async play(stage) {
      await using scene = await open(stage);
      scene.model.play([{ text: "I read sum.js and what calls it.\n\nNo issues found." }]);
      const { job, exitCode } = await commitAndReview(scene, wrong.replace("-", "+"));
      stage.equal("the job is done", [job.status, job.verdict], ["done", "P"]);
      stage.equal("wait says so", exitCode, 0);
    },
  },
  {
    name: "review-unearned",
    group: "deep",
    promise: "a pass of a longer change that names nothing of it is no pass",
    async play(stage) {
      await using scene = await open(stage);
      scene.model.play([{ text: "No issues found." }, { text: "No issues found." }]);
      const lines = Array.from({ length: 30 }, (_, n) => `export const value${n} = ${n};\n`).join("");
      const { job, exitCode } = await commitAndReview(scene, lines);
      stage.equal("the job has failed", [job.status, job.verdict ?? "none"], ["failed", "none"]);
      stage.check("for want of a verdict", job.error?.startsWith("no-verdict: ") === true, job);
      stage.equal("wait says so", exitCode, 1);
    },
  },
  {
    name: "review-garbage",
    group: "deep",
    promise: "an answer without a verdict is a failed job after one more try, never a pass",
    async play(stage) {
      await using scene = await open(stage);
      const garbage = { text: "Lorem ipsum dolor sit amet, consectetur adipiscing elit." };
      const requests = scene.model.play([garbage, garbage, { text: "No issues found." }]);
      const { job, exitCode } = await commitAndReview(scene, wrong);
      stage.equal("the job has failed", [job.status, job.verdict ?? "none"], ["failed", "none"]);
      stage.check("for want of a verdict", job.error?.startsWith("no-verdict: ") === true, job);
      stage.equal("wait says so", exitCode, 1);
      stage.equal("the model was asked twice", mainOf(requests).length, 2);
    },
  },
  {
    name: "review-acts",
    shows: "readOnly",
    group: "review",
    promise: "a reviewer that is talked into writing changes nothing",
    async play(stage) {
      await using scene = await open(stage);
      const evil = `${scene.repo}/evil`;
      const requests = scene.model.play([
        { shell: `touch ${evil} evil; git commit --allow-empty -m evil` },
        { write: evil },
        { text: "No issues found in sum.js." },
      ]);
      const { job } = await commitAndReview(scene, wrong.replace("-", "+"));
      stage.equal("the job is done", [job.status, job.verdict], ["done", "P"]);
      stage.equal("the model was asked again each time", mainOf(requests).length, 3);
      stage.equal("no file appeared", await Bun.file(evil).exists(), false);
      const objects = await scene.git("cat-file", "--batch-all-objects", "--batch-check");
      stage.equal("no commit appeared, not even a loose one", objects.match(/ commit /g)?.length, 2);
    },
  },
];
