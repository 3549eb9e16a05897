import { afterEach, expect, setDefaultTimeout, setSystemTime, test } from "bun:test";
import fc from "fast-check";
import { type CodingAgent, codingAgent, shell } from "./coding-agent.ts";
import { type Scene, scene } from "./scene.ts";

setDefaultTimeout(120_000); // other test runs may share the processors

afterEach(() => {
  setSystemTime();
  delete process.env.GIT_COMMITTER_DATE;
});

const commit = "git commit -q --allow-empty -m x";

interface At {
  s: Scene;
  agent: CodingAgent;
  tree: string;
  /** Unique for each step. */
  id: string;
}

/** What may happen in a session, and how many commits it makes. */
type Step = [made: number, happen: (at: At) => Promise<unknown>];

const run = (made: number, command: (id: string) => string): Step => [
  made,
  ({ agent, id }) => agent.run(command(id), { id }),
];

const whole: Record<string, Step> = {
  commit: run(1, () => commit),
  "two commits": run(2, () => `${commit} && ${commit}`),
  amend: run(1, () => "git commit -q --amend --allow-empty -m y"),
  command: run(0, () => "true"),
  "new branch": run(0, (id) => `git checkout -q -b ${id}`),
  "back to main": run(0, () => "git checkout -q main"),
  detach: run(0, () => "git checkout -q --detach"),
  "commit on a new branch": run(1, (id) => `git checkout -q -b ${id} && ${commit}`),
  "commit back on main": run(1, () => `git checkout -q main && ${commit}`),
  "failing commit": [0, ({ agent, id }) => agent.run("git commit -q -m nothing", { id, failed: true })],
  "commit in the other working tree": [1, ({ agent, id, tree }) => agent.run(commit, { id, cwd: tree })],
  "end of turn": [0, ({ agent }) => agent.stop()],
  "end of turn after a block": [0, ({ agent }) => agent.stop({ stop_hook_active: true })],
  "two commands side by side": [
    2,
    async ({ s, agent, id }) => {
      for (const name of ["a", "b"]) await agent.before(commit, { id: id + name });
      shell(s.repo.path, `${commit} && ${commit}`);
      for (const name of ["b", "a"]) await agent.after(commit, { id: id + name });
    },
  ],
};

const lossy: Record<string, Step> = {
  "commit whose end is lost": [
    1,
    async ({ s, agent, id }) => {
      await agent.before(commit, { id });
      shell(s.repo.path, commit);
    },
  ],
  "commit whose start is lost": [
    1,
    async ({ s, agent, id }) => {
      shell(s.repo.path, commit);
      await agent.after(commit, { id });
    },
  ],
  "commit in the background": [
    1,
    async ({ s, agent, id }) => {
      await agent.before(commit, { id });
      await agent.after(commit, { id, background: true });
      shell(s.repo.path, commit);
    },
  ],
};

/** Plays steps ten seconds apart; what the session counted in its life, and what was really committed. */
async function play(
  names: string[],
  steps: Record<string, Step>,
): Promise<{ counted: number; made: number }> {
  await using s = await scene();
  const tree = s.dir.join("tree");
  s.repo.git("worktree", "add", "-q", "-b", "tree", tree);
  const agent = codingAgent(s, { commitThreshold: 1000, failedReviewThreshold: 0, turnThreshold: 0 });
  const settle = async () => {
    for (const cwd of [s.repo.path, tree]) await agent.run("true", { cwd });
  };
  await settle();
  let seconds = Math.floor(Date.now() / 1000);
  let made = 0;
  for (const [index, name] of names.entries()) {
    seconds += 10;
    setSystemTime(new Date(seconds * 1000));
    process.env.GIT_COMMITTER_DATE = `@${seconds} +0000`;
    const [commits, happen] = steps[name] as Step;
    await happen({ s, agent, tree, id: `step${index}` });
    made += commits;
  }
  await settle();
  return { counted: (await agent.state()).commit_count ?? 0, made };
}

const sequences = (steps: Record<string, Step>) =>
  fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 4, maxLength: 12 });

test("every commit of a session's commands is counted once, whatever it does in between", async () => {
  await fc.assert(
    fc.asyncProperty(sequences(whole), async (names) => {
      const { counted, made } = await play(names, whole);
      expect(counted).toBe(made);
    }),
    { numRuns: 8 },
  );
});

test("no commit is counted twice, whichever events are lost", async () => {
  const all = { ...whole, ...lossy };
  await fc.assert(
    fc.asyncProperty(sequences(all), async (names) => {
      const { counted, made } = await play(names, all);
      expect(counted).toBeLessThanOrEqual(made);
    }),
    { numRuns: 8 },
  );
});
