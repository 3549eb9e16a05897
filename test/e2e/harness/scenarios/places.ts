import { join } from "node:path";
import type { Turn } from "../../turn.ts";
import { arrivals } from "../model.ts";
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
import type { Scene } from "../scene.ts";

/** The first review is in, then another tool. */
const reviewed = (scene: Scene) => async (): Promise<Turn> => {
  await reviewsDone(scene, 1);
  return { shell: "echo LOOKED" };
};

const bug = "printf 'BUG: here\\n' > ../wt/b.txt && git -C ../wt add -A && git -C ../wt commit -q -m Bug";

/** The review belongs to the checkout that the commit was made in, wherever the session is. */
export const placeScenarios: Scenario[] = [
  {
    name: "cd",
    group: "deep",
    promise: "a commit behind `cd` into another worktree is told",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      await scene.git("worktree", "add", "-q", join(scene.root, "wt"), "-b", "side");
      const run = await scene.session([{ shell: `cd ../wt && ${commitReviewedBug("b.txt")}` }, done()]);
      equal("the session ends well", run.exitCode, 0);
      equal("it arrives in the next request", arrivals(run.requests, (await failedJob(scene)).id), [1]);
    },
  },
  {
    name: "git-C",
    group: "deep",
    promise: "a commit by `git -C` into another worktree is told",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      await scene.git("worktree", "add", "-q", join(scene.root, "wt"), "-b", "side");
      const shell = `${bug}; roborev wait --quiet "$(git -C ../wt rev-parse HEAD)" || true`;
      const run = await scene.session([{ shell }, look, done()]);
      equal("it arrives in the next request", arrivals(run.requests, (await failedJob(scene)).id), [1]);
    },
  },
  {
    name: "worktree",
    group: "deep",
    promise: "a session in a worktree is told of its own branch's reviews, not of the main checkout's",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      const worktree = join(scene.root, "wt");
      await scene.git("worktree", "add", "-q", worktree, "-b", "side");
      const elsewhere = await leaveFailedReview(scene);
      const run = await scene.session([look, { shell: commitReviewedBug("b.txt") }, look, done()], {
        cwd: worktree,
      });
      const own = await failedJob(scene);
      equal("its own arrives", arrivals(run.requests, own.id), [2]);
      equal("the other does not", arrivals(run.requests, elsewhere.id), []);
    },
  },
  {
    name: "subdirectory",
    group: "deep",
    promise: "a session in a subdirectory is told",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      await scene.run(["mkdir", "-p", "deep/er"]);
      const run = await scene.session([{ shell: commitReviewedBug("b.txt") }, done()], {
        cwd: join(scene.repo, "deep/er"),
      });
      equal("it arrives", arrivals(run.requests, (await failedJob(scene)).id), [1]);
    },
  },
  {
    name: "odd-paths",
    group: "deep",
    promise: "quotes, blanks and other letters in every path, and a configuration elsewhere, change nothing",
    async play({ open, check, equal }) {
      await using scene = await open({
        config: everyFailure,
        directory: `it's "an" odd $HOME é/${"long".repeat(20)}`,
        movedConfig: true,
      });
      const settings = Bun.file(join(scene.config, scene.program.harness.config.file));
      check("the hooks stand where the program reads them", (await settings.text()).includes("agent-hook"));
      const run = await scene.session([{ shell: commitBug("a.txt") }, reviewed(scene), done()]);
      equal("the session ends well", run.exitCode, 0);
      equal("it arrives", arrivals(run.requests, (await failedJob(scene)).id).length, 1);
    },
  },
  {
    name: "elsewhere",
    group: "deep",
    promise: "a session in a repository that nobody set up is told nothing",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      await leaveFailedReview(scene);
      const other = join(scene.root, "other");
      await scene.git("init", "-q", other);
      const shell = "git commit -q --allow-empty -m one && echo COMMITTED";
      const run = await scene.session([{ shell }, look, done()], { cwd: other });
      equal("the session ends well", run.exitCode, 0);
      equal("nothing arrives", arrivals(run.requests), []);
    },
  },
];
