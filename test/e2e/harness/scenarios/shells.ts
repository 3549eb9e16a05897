import { waitFor } from "../../../support/wait.ts";
import { arrivals, subagentMark } from "../model.ts";
import {
  commitBug,
  commitReviewedBug,
  done,
  everyFailure,
  failedJob,
  leaveFailedReview,
  look,
  reviewsDone,
  type Scenario,
} from "../scenario.ts";

/** Commits that are not made by a plain command of the session itself. */
export const shellScenarios: Scenario[] = [
  {
    name: "subagent",
    group: "deep",
    promise: "of what a sub-agent commits, the session is told and the sub-agent is not",
    async play({ program, open, check, equal }) {
      await using scene = await open({ config: everyFailure });
      let ended = false;
      const subSteps = [
        { shell: commitReviewedBug("a.txt") },
        look,
        () => {
          ended = true;
          return { text: "SUB-DONE" };
        },
      ];
      const run = await scene.session(
        [
          { subagent: `${subagentMark} commit something` },
          // Claude Code starts agents beside the session, Codex is told to wait for them.
          ...(program.name === "codex" ? [{ waitAgent: true } as const] : []),
          async () => {
            await waitFor("the sub-agent's end", () => ended);
            await reviewsDone(scene, 1);
            return { shell: "echo LOOKED" };
          },
          done(1),
          done(2),
          done(3),
        ],
        { subSteps },
      );
      const { id } = await failedJob(scene);
      equal("the session ends well", run.exitCode, 0);
      const sub = run.requests.filter(({ kind }) => kind === "sub");
      equal("the sub-agent asked the model three times", sub.length, 3);
      check("and was never told", !sub.some(({ text }) => text.includes("Review job id")));
      equal("the session is told once", arrivals(run.requests, id).length, 1);
    },
  },
  {
    name: "parallel",
    group: "deep",
    promise: "of several commands in one answer, one brings the reminder",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      const { id } = await leaveFailedReview(scene);
      const run = await scene.session([{ shells: ["echo A", "echo B", "echo C"] }, look, done(1), done(2)]);
      const texts = run.main.map(({ text }) => text.split("Review job id").length - 1);
      equal("the session ends well", run.exitCode, 0);
      equal("it arrives in the next request", arrivals(run.requests, id), [1]);
      equal("once", Math.max(...texts), 1);
    },
  },
  {
    name: "background",
    group: "deep",
    promise: "a commit of a background command is not lost, and told once",
    async play({ program, open, equal }) {
      await using scene = await open({ config: everyFailure });
      // The marker keeps the commit behind the hook that reports the command as started.
      const shell = `until [ -e go ]; do sleep 0.05; done; rm go; ${commitReviewedBug("a.txt")}`;
      const go = async () => {
        await Bun.write(`${scene.repo}/go`, "");
      };
      const inBackground =
        program.name === "claude"
          ? [
              { shell, extra: { run_in_background: true } },
              async () => {
                await go();
                await reviewsDone(scene, 1);
                return { text: "DONE-1" };
              },
            ]
          : [
              { shell, extra: { yield_time_ms: 250 } },
              async () => {
                await go();
                return { readOn: true } as const;
              },
              done(1),
            ];
      const run = await scene.session([...inBackground, done(2), done(3), done(4)]);
      const { id } = await failedJob(scene);
      equal("the session ends well", run.exitCode, 0);
      equal("it arrives once, right after", arrivals(run.requests, id), [2]);
    },
  },
  {
    name: "failing",
    group: "deep",
    promise: "a command that fails after its commit does not hide the review",
    async play({ program, open, equal }) {
      await using scene = await open({ config: everyFailure });
      const run = await scene.session([
        { shell: `${commitBug("a.txt")} && { roborev wait --quiet || false; }` },
        done(1),
        done(2),
        done(3),
      ]);
      const { id } = await failedJob(scene);
      equal("the session ends well", run.exitCode, 0);
      // Claude Code has another event for failing commands, which is not registered: its Stop delivers.
      equal("it arrives once", arrivals(run.requests, id), [program.name === "claude" ? 2 : 1]);
    },
  },
  {
    name: "late",
    group: "deep",
    promise: "a review that ends after the commit's own hook is told at the next tool",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      // The reviewer takes this long, so that the hook behind the commit is always the earlier one.
      const slow = "printf 'BUG: late\\nTEST-REVIEWER-SLEEP: 2000\\n' > a.txt";
      const run = await scene.session([
        { shell: `${slow} && git add -A && git commit -q -m Late` },
        async () => {
          await reviewsDone(scene, 1);
          return { shell: "echo LOOKED" };
        },
        look,
        done(),
      ]);
      const { id } = await failedJob(scene);
      equal("it arrives once, with that tool", arrivals(run.requests, id), [2]);
    },
  },
];
