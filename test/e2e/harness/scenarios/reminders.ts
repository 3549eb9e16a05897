import { arrivals, askedToFinish } from "../model.ts";
import {
  commitReviewedBug,
  done,
  endFixSession,
  endFixSessions,
  everyFailure,
  everyTurn,
  failedJob,
  followReminder,
  leaveFailedReview,
  look,
  type Scenario,
} from "../scenario.ts";

/** When a reminder reaches the session that made the commit, and when none does. */
export const reminderScenarios: Scenario[] = [
  {
    name: "after-tool",
    group: "deep",
    promise: "a failed review is in the very next request, once; after it is closed, nothing",
    async play({ open, check, equal }) {
      await using scene = await open({ config: everyFailure });
      const first = await scene.session([{ shell: commitReviewedBug("a.txt") }, look, endFixSession, done()]);
      const { id } = await failedJob(scene);
      equal("the session ends well", first.exitCode, 0);
      equal("the reminder arrives in the next request, once", arrivals(first.requests, id), [1]);
      check("beside the tool's own output", first.main[1]?.text.includes("COMMITTED") === true);
      check("git said nothing of ours", !/Error: |roborev\[/.test(first.main[1]?.text ?? ""));
      check(
        "the fix session ends by the command that it names",
        /Completed Agent Hook fix session/.test(first.main[3]?.text ?? ""),
      );
      equal("and the turn ends without being asked to finish", askedToFinish(first.requests), []);

      const second = await scene.session([look, followReminder, look, done()]);
      equal("another session is told, once", arrivals(second.requests, id), [1]);
      const after = second.main.at(-1)?.text ?? "";
      check("which reads the review", after.includes("marked as a bug") || after.includes("a.txt"), after);
      const review = await scene.roborev("show", "--job", String(id), "--json");
      check(
        "comments and closes it",
        /"closed":\s*true/.test(review.stdout) && /Fixed\./.test(review.stdout),
      );
      equal("and is let go", [askedToFinish(second.requests), second.main.length], [[], 4]);
      const log = await scene.roborev("agent-hook", "log", "--json");
      equal(
        "both reminders are known to have arrived",
        (JSON.parse(log.stdout) as { stage: string }[]).map(({ stage }) => stage),
        ["acted", "acted"],
      );

      const third = await scene.session([look, look, done()]);
      equal("after the close no session is told", arrivals(third.requests), []);
    },
  },
  {
    name: "threshold",
    group: "deep",
    promise: "by default four failed reviews make one reminder that names all",
    async play({ open, equal }) {
      await using scene = await open();
      const steps = ["a", "b", "c", "d"].map((name) => ({ shell: commitReviewedBug(`${name}.txt`) }));
      const run = await scene.session([...steps, look, done()]);
      equal("the fourth brings it", arrivals(run.requests), [4]);
      const ids = (await scene.jobs()).map(({ id }) => id);
      for (const id of ids) equal(`it names job ${id}`, arrivals(run.requests, id), [4]);
    },
  },
  {
    name: "long-text",
    group: "deep",
    promise: "the user's own long words reach the model in the reminder, cut where roborev says so",
    async play({ open, check, equal }) {
      for (const [when, thresholds] of [
        ["after a tool", everyFailure] as const,
        ["at the end", everyTurn(1)] as const,
      ]) {
        const line = (name: string) => `${name} – Größe prüfen, 修正 <b>"x"</b> & more.\n`;
        const guidelines = `GUIDE-HEAD\n${line("guideline").repeat(400)}`;
        const config = `fix_guidelines = ${JSON.stringify(guidelines)}\n${thresholds}\ninstruction = "${"Own words. ".repeat(300)}OWN-TAIL"`;
        await using scene = await open({ config });
        const { id } = await leaveFailedReview(scene);
        const run = await scene.session([look, done(1), done(2)]);
        equal(`it arrives ${when}`, arrivals(run.requests, id).length, 1);
        const text = run.main.at(-1)?.text ?? "";
        for (const part of ["OWN-TAIL", "GUIDE-HEAD", "[fix_guidelines is too long for this harness"]) {
          check(`with ${part}`, text.includes(part));
        }
      }
    },
  },
  {
    name: "stop",
    group: "deep",
    promise: "the end of a turn is blocked once, the end after that is let go",
    async play({ open, check, equal }) {
      await using scene = await open({ config: everyTurn(1) });
      const run = await scene.session([
        { shell: commitReviewedBug("a.txt") },
        done(1),
        look,
        done(2),
        done(3),
      ]);
      const { id } = await failedJob(scene);
      equal("the session ends well", run.exitCode, 0);
      equal("the reminder arrives after the first end of the turn", arrivals(run.requests, id), [2]);
      equal("the second end is the last", run.main.length, 4);
      check("the session's answer is the second", run.stdout.includes("DONE-2"), run.stdout);
    },
  },
  {
    name: "turns",
    group: "deep",
    promise: "turns are counted over resumed runs of one session",
    async play({ open, equal }) {
      await using scene = await open({ config: everyTurn(3) });
      const { id } = await leaveFailedReview(scene);
      const all = [];
      for (const resume of [false, true, true, true]) {
        const { main, exitCode } = await scene.session([done(1), done(2), done(3)], { resume });
        equal("the run ends well", exitCode, 0);
        all.push(...main);
      }
      equal("the third turn is reminded, no other", arrivals(all, id), [3]);
      equal("the fourth is asked to finish", askedToFinish(all), [5]);
      equal("four turns took six requests", all.length, 6);
    },
  },
  {
    name: "fix-session",
    group: "deep",
    promise: "who leaves the reviews open is asked to finish; nobody else is told until the fix session ends",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      const { id } = await leaveFailedReview(scene);
      const first = await scene.session([look, done(1), done(2), done(3)]);
      equal("the first session is told", arrivals(first.requests, id), [1]);
      equal("and asked to finish when it wants to end its turn, once", askedToFinish(first.requests), [2]);
      equal("then it is let go", [first.exitCode, first.main.length], [0, 3]);
      const second = await scene.session([look, done(1), done(2)]);
      equal("a second session is told nothing meanwhile", arrivals(second.requests), []);
      equal("and let go at once", second.main.length, 2);
      await endFixSessions(scene);
      const third = await scene.session([look, followReminder, done(1), done(2)]);
      equal("once the fix session is ended, the next one is told", arrivals(third.requests, id), [1]);
      equal(
        "and let go when the review is closed",
        [askedToFinish(third.requests), third.main.length],
        [[], 3],
      );
    },
  },
  {
    name: "resume",
    group: "deep",
    promise: "a later turn is reminded of a new failed review, not of one it was told about",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      const first = await scene.session([{ shell: commitReviewedBug("a.txt") }, done()]);
      const old = await failedJob(scene);
      equal("the first turn is reminded", arrivals(first.requests, old.id), [1]);
      const second = await scene.session([look, done()], { resume: true });
      equal("a resumed turn is not", arrivals([...first.requests, ...second.requests]), [1]);
      const third = await scene.session([{ shell: commitReviewedBug("b.txt") }, look, done()], {
        resume: true,
      });
      const fresh = await failedJob(scene);
      const all = [...first.main, ...second.main, ...third.main];
      const before = first.main.length + second.main.length;
      equal("of a new one it is", arrivals(all, fresh.id), [before + 1]);
      equal("and that reminder leaves out the old one", arrivals(all, old.id), [1]);
    },
  },
  {
    name: "passing",
    group: "deep",
    promise: "a commit whose review passes never reaches the model",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      const shell = "echo fine > a.txt && git add -A && git commit -q -m Fine && roborev wait --quiet";
      const run = await scene.session([{ shell }, look, done()]);
      equal(
        "the review passed",
        (await scene.jobs()).map(({ verdict }) => verdict),
        ["P"],
      );
      equal("nothing arrives", arrivals(run.requests), []);
    },
  },
];
