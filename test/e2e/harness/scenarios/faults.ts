import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { waitFor } from "../../../support/wait.ts";
import { arrivals, type ModelRequest } from "../model.ts";
import {
  commitBug,
  commitReviewedBug,
  done,
  everyFailure,
  leaveFailedReview,
  look,
  type Scenario,
  type Stage,
} from "../scenario.ts";
import type { Scene, SessionRun } from "../scene.ts";

const commit = { shell: commitBug("new.txt") };

/** A session that commits, as it should run whatever state roborev is in. */
async function undisturbed({ equal, check }: Stage, scene: Scene): Promise<SessionRun> {
  const run = await scene.session([commit, look, done(1), done(2)]);
  const { main } = run;
  equal("the session ends well", run.exitCode, 0);
  equal("in three requests", main.length, 3);
  equal("the commit is there", await scene.git("log", "-1", "--format=%s"), "Add new.txt\n");
  check("the model sees the commands' output", /COMMITTED/.test(main[1]?.text ?? ""));
  check("and nothing else", isClean(scene, run.requests), main.at(-1)?.text);
  return run;
}

/**
 * No reminder, no word of hooks that failed, and none of ours but what a session begins with: the skills that the
 * installer left, which the program lists; our name in the paths of this run does not count.
 */
function isClean({ root }: Scene, requests: ModelRequest[]): boolean {
  const slug = root.replace(/[^A-Za-z0-9]/g, "-");
  const texts = requests
    .filter(({ kind }) => kind === "main")
    .map(({ text }) => text.replaceAll(root, "").replaceAll(slug, ""));
  const mentions = texts.map((text) => text.match(/roborev/gi)?.length ?? 0);
  return (
    arrivals(requests).length === 0 &&
    mentions.every((count) => count === mentions[0]) &&
    !texts.some((text) => /command not found|hook error/i.test(text))
  );
}

/** Whatever is wrong with roborev, the session goes on and the model hears nothing of it. */
export const faultScenarios: Scenario[] = [
  {
    name: "daemon-down",
    group: "deep",
    promise: "without a daemon the hooks say nothing and start none",
    async play(stage) {
      const { open, check, equal } = stage;
      await using scene = await open({ config: everyFailure });
      const { id } = await leaveFailedReview(scene);
      equal("the daemon is stopped", (await scene.roborev("daemon", "stop")).exitCode, 0);
      const quiet = await scene.session([look, look, done()]);
      equal("the session ends well", quiet.exitCode, 0);
      check("nothing arrives", isClean(scene, quiet.requests));
      const status = await scene.roborev("status", "--json");
      equal("the hooks started no daemon", JSON.parse(status.stdout), { running: false });
      await scene.roborev("daemon", "start");
      const later = await scene.session([look, look, done()]);
      equal("with a daemon again, the reminder arrives", arrivals(later.requests, id), [1]);
    },
  },
  {
    name: "daemon-killed",
    group: "deep",
    promise: "a daemon that is killed in between forgets no reminder and gives none twice",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      const run = await scene.session([
        { shell: commitReviewedBug("a.txt") },
        async () => {
          process.kill(await scene.daemonPid(), "SIGKILL");
          return { shell: "echo LOOKED" };
        },
        // git's own hook starts the next one.
        { shell: commitReviewedBug("b.txt") },
        look,
        done(),
      ]);
      const ids = (await scene.jobs()).map(({ id }) => id).sort();
      equal("the session ends well", run.exitCode, 0);
      equal("the first review arrives once", arrivals(run.requests, ids[0]), [1]);
      equal("the second one too", arrivals(run.requests, ids[1]), [3]);
    },
  },
  {
    name: "daemon-hung",
    group: "deep",
    promise: "a hung daemon costs each hook its deadline at most, and the commit is reviewed later",
    async play(stage) {
      const { open, check } = stage;
      await using scene = await open({ config: everyFailure });
      await leaveFailedReview(scene);
      const normal = await scene.session([{ shell: "git log -1" }, look, done()]);
      const pid = await scene.daemonPid();
      process.kill(pid, "SIGSTOP");
      let run: SessionRun;
      try {
        run = await undisturbed(stage, scene);
      } finally {
        process.kill(pid, "SIGCONT");
      }
      // Before the commit 2 s, git's own hook 2.5 s, after two tools and at the end 4 s each.
      const extraMs = run.ms - normal.ms;
      check(`it took ${extraMs} ms longer, 18500 at most`, extraMs < 18_500, {
        run: run.ms,
        normal: normal.ms,
      });
      await scene.roborev("daemon", "restart");
      await waitFor("the missed commit's review", async () => (await scene.jobs()).length === 2);
      check("the missed commit is reviewed", true);
    },
  },
  {
    name: "binary-gone",
    group: "deep",
    promise: "with roborev deleted, a session works as if it had never been there",
    async play(stage) {
      await using scene = await stage.open({ config: everyFailure });
      await leaveFailedReview(scene);
      await scene.roborev("daemon", "stop");
      rmSync(scene.binary);
      await undisturbed(stage, scene);
    },
  },
  {
    name: "binary-crashes",
    group: "deep",
    promise: "a crashing roborev does not stop a session",
    async play(stage) {
      await using scene = await stage.open({ config: everyFailure });
      await scene.roborev("daemon", "stop");
      replaceBinary(scene, "kill -SEGV $$");
      await undisturbed(stage, scene);
    },
  },
  {
    name: "binary-hangs",
    group: "deep",
    promise: "a roborev that never ends is given up by the program after the installed timeout",
    async play(stage) {
      await using scene = await stage.open({ config: everyFailure, installArgs: ["--timeout", "1s"] });
      await scene.roborev("daemon", "stop");
      replaceBinary(scene, 'case "$1" in agent-hook) exec sleep 60;; esac');
      const run = await undisturbed(stage, scene);
      stage.check(`it took ${run.ms} ms, 20000 at most`, run.ms < 20_000);
    },
  },
  {
    name: "state-broken",
    group: "deep",
    promise: "an unreadable state file silences the hooks and nothing else",
    async play(stage) {
      await using scene = await stage.open({ config: everyFailure });
      await leaveFailedReview(scene);
      await scene.roborev("daemon", "stop");
      const state = `${scene.home}/.roborev/agent-hook/state.json`;
      await Bun.write(state, "{ not json");
      await scene.roborev("daemon", "start");
      await undisturbed(stage, scene);
      stage.equal("the file is left as it was", await Bun.file(state).text(), "{ not json");
    },
  },
  {
    name: "config-broken",
    group: "deep",
    promise: "a broken config.toml leaves the session alone",
    async play(stage) {
      await using scene = await stage.open();
      scene.configure("this is not toml");
      await undisturbed(stage, scene);
    },
  },
  {
    name: "switched-off",
    group: "deep",
    promise: "`enabled = false` silences a running daemon without a restart",
    async play({ open, equal }) {
      await using scene = await open({ config: everyFailure });
      await leaveFailedReview(scene);
      scene.configure("enabled = false");
      const run = await scene.session([look, look, done(1), done(2)]);
      equal("nothing arrives", arrivals(run.requests), []);
    },
  },
];

/** The file is another one, as after a broken upgrade: writing into it would change every copy of the build. */
function replaceBinary(scene: Scene, script: string): void {
  rmSync(scene.binary);
  writeFileSync(scene.binary, `#!/bin/sh\n${script}\n`);
  chmodSync(scene.binary, 0o755);
}
