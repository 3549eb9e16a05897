import { join } from "node:path";
import { arrivals } from "../model.ts";
import {
  done,
  endFixSessions,
  everyFailure,
  hookState,
  leaveFailedReview,
  look,
  type Scenario,
} from "../scenario.ts";
import type { Scene } from "../scene.ts";

const hooksOf = (scene: Scene) => Bun.file(join(scene.config, scene.program.harness.config.file));
const textOfHooks = (scene: Scene) => hooksOf(scene).text();
const touchSeen = "cat > /dev/null; touch seen-by-another-tool; echo '{}'";

interface Hooks {
  hooks: Record<string, { hooks: { type: string; command: string }[] }[]>;
}

/** Another tool adds a group of its own behind ours, and writes the file its own way. */
async function addForeignGroup(scene: Scene): Promise<void> {
  const settings = JSON.parse(await textOfHooks(scene)) as Hooks;
  settings.hooks.Stop?.push({ hooks: [{ type: "command", command: touchSeen }] });
  await Bun.write(hooksOf(scene), JSON.stringify(settings, null, 4));
}

/** What the installed entries mean to the program, over re-installs and beside other tools. */
export const trustScenarios: Scenario[] = [
  {
    name: "untrusted",
    group: "deep",
    only: "codex",
    promise: "untrusted hooks are skipped, and the installer said so",
    async play({ open, check, equal }) {
      await using scene = await open({ config: everyFailure, trusted: false });
      check("the installer says what Codex will ask", /trust/.test(scene.installed), scene.installed);
      const { id } = await leaveFailedReview(scene);
      if (!scene.program.asksTrust) return;
      const before = await scene.session([look, look, done()]);
      equal("the session ends well", before.exitCode, 0);
      equal("nothing arrives", arrivals(before.requests), []);
      equal("no hook ran", Object.keys((await hookState(scene)).sessions), []);
      await scene.program.trust(scene);
      const after = await scene.session([look, look, done()]);
      equal("once trusted, it arrives", arrivals(after.requests, id), [1]);
    },
  },
  {
    name: "neighbour",
    group: "deep",
    promise: "hooks that another tool had there before keep running, and keep their trust",
    async play({ open, check, equal }) {
      await using scene = await open({ config: everyFailure, trusted: false });
      const { id } = await leaveFailedReview(scene);
      const agent = ["--agent", scene.program.name];
      await scene.roborev("agent-hook", "uninstall", ...agent);
      const file = hooksOf(scene);
      const settings = (await file.exists()) ? ((await file.json()) as object) : {};
      const group = { hooks: [{ type: "command", command: touchSeen }] };
      await Bun.write(file, JSON.stringify({ ...settings, hooks: { Stop: [group] } }));
      await scene.program.trust(scene);
      await scene.roborev("agent-hook", "install", ...agent);
      const seen = Bun.file(join(scene.repo, "seen-by-another-tool"));
      const run = await scene.session([look, look, done()]);
      check("the other tool's hook runs", await seen.exists());
      const { asksTrust } = scene.program;
      equal("ours as far as it is trusted", arrivals(run.requests, id), asksTrust ? [] : [1]);
      await seen.delete();
      await endFixSessions(scene);
      await scene.program.trust(scene);
      const after = await scene.session([look, look, done()]);
      check("once ours is trusted, the other one still runs", await seen.exists());
      equal("and the reminder arrives", arrivals(after.requests, id), [1]);
    },
  },
  {
    name: "reinstall",
    group: "deep",
    promise: "a second install changes no byte, also behind another tool's edit, and everything still runs",
    async play({ open, check, equal }) {
      await using scene = await open({ config: everyFailure });
      const { id } = await leaveFailedReview(scene);
      const install = () => scene.roborev("agent-hook", "install", "--agent", scene.program.name);
      const first = await textOfHooks(scene);
      equal("installing again works", (await install()).exitCode, 0);
      equal("and changes no byte", await textOfHooks(scene), first);
      await addForeignGroup(scene);
      const shared = await textOfHooks(scene);
      equal("installing behind another tool works", (await install()).exitCode, 0);
      equal("and changes no byte of it", await textOfHooks(scene), shared);
      const run = await scene.session([look, look, done()]);
      equal("the reminder still arrives", arrivals(run.requests, id), [1]);
      // Nobody was asked to trust the other tool.
      const ran = await Bun.file(join(scene.repo, "seen-by-another-tool")).exists();
      equal("the other tool's hook runs where it may", ran, !scene.program.asksTrust);
      await scene.roborev("agent-hook", "uninstall", "--agent", scene.program.name);
      const left = await textOfHooks(scene);
      check("uninstalling leaves the other tool's", left.includes("seen-by-another-tool"), left);
      check("and nothing of ours", !left.includes("roborev"), left);
      const last = await scene.session([look, look, done()]);
      equal("nothing arrives then", arrivals(last.requests), []);
    },
  },
];
