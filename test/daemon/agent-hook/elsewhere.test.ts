import { expect, test } from "bun:test";
import { codingAgent } from "./coding-agent.ts";
import { scene } from "./scene.ts";

const bug = "echo bug >> f && git add f && git commit -q -m bug";

for (const [how, inside] of [
  [
    "git -C",
    (tree: string) => `echo bug > ${tree}/f && git -C ${tree} add f && git -C ${tree} commit -q -m bug`,
  ],
  ["cd in a command", (tree: string) => `cd ${tree} && ${bug}`],
] as const) {
  test(`a commit by ${how} in another working tree is told at the end of a turn, though its review fails late`, async () => {
    await using s = await scene();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
    const agent = codingAgent(s, { failedReviewThreshold: 1 });
    expect(await agent.run(inside(tree))).toMatchObject({ triggered: false });
    const [id] = s.fail(1, "feature");
    expect(await agent.run("ls")).toMatchObject({ triggered: false });
    const told = await agent.stop();
    expect(told).toMatchObject({ triggered: true, triggered_by: "failed_reviews" });
    expect(told.reason).toContain(
      `Review job id: ${id}. It belongs to the working tree "${tree}": change to it`,
    );
  });
}

test("a reminder after a command that ran in another working tree says so", async () => {
  await using s = await scene();
  const tree = s.dir.join("tree");
  s.repo.git("worktree", "add", "-q", "-b", "feature", tree);
  s.fail(1, "feature");
  const told = await codingAgent(s, { failedReviewThreshold: 1 }).run(`cd ${tree} && ${bug}`);
  expect(told.reason).toContain(`It belongs to the working tree "${tree}"`);
  s.fail(1);
  const here = await codingAgent(s, { failedReviewThreshold: 1, session: "s2" }).run(`cd . && ${bug}`);
  expect(here).toMatchObject({ triggered: true });
  expect(here.reason).not.toContain("belongs to");
});
