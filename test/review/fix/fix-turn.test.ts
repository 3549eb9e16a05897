import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fixNamed, fixOpen } from "../../../src/review/fix/run-fix.ts";
import { fixScene, mend, refuteAll } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const everything = { allBranches: false, newestFirst: false };
/** Says its answer, with a conversation that can be continued. */
const answer = (text: string) =>
  `printf '{"type":"result","subtype":"success","is_error":false,"session_id":"sess-1","result":"%s"}\\n' '${text}'`;

test("C05 an agent that edits and does not commit is asked to, in the same conversation; then the review is closed", async () => {
  await using s = await fixScene(`
if grep -q '^# Commit the changes of a fix' "$PROMPT"; then git commit -qam later; say committed
else echo x >>one.ts; ${answer("Edited.\\nFINDING 1: FIXED - the list is checked")}; fi`);
  const id = await s.reviewed("one");
  const { results } = await fixNamed(s.services, [id]);
  expect(results).toMatchObject([{ job_id: id, outcome: "fixed", closed: true }]);
  expect((await s.comments(id))[0]?.response).toContain("FINDING 1: FIXED - the list is checked");
  const [first, retry] = s.calls();
  expect(first?.argv).not.toContain("--resume");
  expect(retry?.argv).toContain("--resume sess-1");
  expect(first?.argv).toContain("--dangerously-skip-permissions");
});

test("C05 what is still not committed then is told of and commented, the review stays open and the run ends", async () => {
  await using s = await fixScene(`echo x >>one.ts; echo y >new.ts; say 'I like it like this'`);
  const [id, next] = [await s.reviewed("one"), await s.reviewed("two")];
  const { results, stopped } = await fixOpen(s.services, everything);
  expect(results).toMatchObject([{ job_id: id, outcome: "uncommitted", closed: false }]);
  expect(stopped).toBe("the next agent would commit what this one left");
  expect((await s.comments(id))[0]?.response).toBe(
    "claude-code changed files and did not commit them: the review stays open.\n\n" +
      "Not committed: one.ts, new.ts.\n\nI like it like this",
  );
  expect(await s.isClosed(id)).toBe(false);
  expect(await s.comments(next)).toEqual([]);
  await expect(fixOpen(s.services, everything)).rejects.toThrow(
    "1 tracked file has uncommitted changes: one.ts",
  );
});

test("an agent that does nothing leaves the review open, with a comment; the others are dealt with", async () => {
  await using s = await fixScene(
    `if grep -q '(job 1)' "$PROMPT"; then say 'Looks fine to me.'; else ${refuteAll}; fi`,
  );
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  const { results } = await fixOpen(s.services, everything);
  expect(results.map(({ outcome, closed }) => [outcome, closed])).toEqual([
    ["unanswered", false],
    ["refuted", true],
  ]);
  expect((await s.comments(one))[0]?.response).toBe(
    "claude-code changed nothing and did not account for every finding: the review stays open.\n\nLooks fine to me.",
  );
  expect((await s.comments(two))[0]?.response).toStartWith(
    "claude-code changed nothing and refuted every finding.\n\nI read it.",
  );
});

test("an agent that leaves the branch, rewrites a commit, or leaves a merge ends the run; nothing is closed", async () => {
  for (const [shell, what] of [
    ["git checkout -q -b elsewhere", "went from main to elsewhere"],
    ["git commit -q --amend -m other", "rewrote commits that were there before"],
    [
      "git checkout -q -b side HEAD~1; git commit -q --allow-empty -m s; git checkout -q main; git merge -q --no-commit side",
      "left a merge in progress",
    ],
  ]) {
    await using s = await fixScene(`${shell} >/dev/null 2>&1; ${refuteAll}`);
    const id = await s.reviewed("one");
    const { results, stopped } = await fixOpen(s.services, everything);
    expect(results).toMatchObject([{ outcome: "astray", closed: false }]);
    expect(results[0]?.message).toContain(what as string);
    expect(stopped).toBeDefined();
    expect(await s.isClosed(id)).toBe(false);
  }
});

test("nothing is edited while a rebase, merge, cherry-pick, revert, am or bisect is in progress, nor with uncommitted changes", async () => {
  await using s = await fixScene(refuteAll);
  await s.reviewed("one");
  for (const [marker, name] of [
    ["rebase-merge", "rebase"],
    ["rebase-apply", "rebase"],
    ["rebase-apply/applying", "git am"],
    ["MERGE_HEAD", "merge"],
    ["CHERRY_PICK_HEAD", "cherry-pick"],
    ["REVERT_HEAD", "revert"],
    ["BISECT_LOG", "bisect"],
  ] as const) {
    const path = `${s.repo.path}/.git/${marker}`;
    mkdirSync(path, { recursive: true });
    await expect(fixOpen(s.services, everything)).rejects.toThrow(
      `a ${name} is in progress in ${s.repo.path}`,
    );
    rmSync(`${s.repo.path}/.git/${marker.split("/")[0]}`, { recursive: true });
  }
  s.repo.write("README.md", "changed\n");
  s.repo.git("add", "README.md");
  await expect(fixOpen(s.services, everything)).rejects.toThrow(
    "1 tracked file has uncommitted changes: README.md",
  );
  expect(s.calls()).toHaveLength(0);
});

test("files that git does not track may be there, and the agent is told to leave them alone", async () => {
  await using s = await fixScene(`${mend("a.ts")}; say 'done'`);
  const id = await s.reviewed("one");
  writeFileSync(`${s.repo.path}/notes.txt`, "mine");
  const { results } = await fixNamed(s.services, [id]);
  expect(results).toMatchObject([
    { outcome: "fixed", closed: true, commit: s.repo.git("rev-parse", "HEAD") },
  ]);
  expect(results[0]?.message).not.toContain("notes.txt");
  expect(s.calls()[0]?.prompt).toContain("| notes.txt");
  expect(existsSync(`${s.repo.path}/notes.txt`)).toBe(true);
});

test("C07 with --batch one agent deals with several reviews, each commented and closed by what was said of it", async () => {
  await using s = await fixScene(
    "say 'JOB 1 FINDING 1: REFUTED - the list is never empty\\nJOB 2 FINDING 1: DEFERRED - needs a decision'",
  );
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  const services = { ...s.services, settings: { ...s.services.settings, batch: {} } };
  const { results } = await fixOpen(services, everything);
  expect(s.calls()).toHaveLength(1);
  expect(results.map(({ job_id, outcome, closed }) => [job_id, outcome, closed])).toEqual([
    [one, "refuted", true],
    [two, "unanswered", false],
  ]);
  s.agent(`${mend("b.ts")}; say 'both'`);
  await s.client.closeReview({ job_id: one, closed: false });
  const sized = { ...s.services, settings: { ...s.services.settings, batch: { maxEntries: 1 } } };
  expect((await fixNamed(sized, [one, two])).results.map(({ outcome }) => outcome)).toEqual([
    "fixed",
    "fixed",
  ]);
  expect(s.calls()).toHaveLength(3);
});

test("with --resume one conversation goes through all reviews of the run, without it each has its own", async () => {
  await using s = await fixScene(answer("FINDING 1: REFUTED - the list is never empty here"));
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  await fixOpen(s.services, everything);
  for (const id of [one, two]) await s.client.closeReview({ job_id: id, closed: false });
  await fixNamed({ ...s.services, settings: { ...s.services.settings, resume: true } }, [one, two]);
  expect(s.calls().map(({ argv }) => argv.includes("--resume sess-1"))).toEqual([false, false, false, true]);
});

test("fix_guidelines are in the prompt and the comment says that they were applied; blank ones are as none", async () => {
  await using s = await fixScene(refuteAll);
  const id = await s.reviewed("one");
  const withPolicy = (guidelines: string) => ({
    ...s.services,
    settings: { ...s.services.settings, guidelines },
  });
  await fixNamed(withPolicy("Sign off every commit."), [id]);
  expect((await s.comments(id))[0]?.response).toEndWith("The policy in fix_guidelines was applied.");
  await s.client.closeReview({ job_id: id, closed: false });
  await fixNamed(withPolicy(" \n"), [id]);
  expect((await s.comments(id))[1]?.response).not.toContain("policy");
  expect(s.calls()[0]?.prompt).toEndWith("## Policy of the user\n\nSign off every commit.");
});

test("what the agent says of each finding is kept with the finding; one that is put off leaves the review open", async () => {
  await using s = await fixScene(
    `${mend("a.ts")}; say 'FINDING 1: FIXED - the list is checked\\nFINDING 2: DEFERRED - needs a decision of the owner'`,
  );
  const findings = [
    { severity: "high", problem: "zero" },
    { severity: "medium", problem: "slow" },
  ] as const;
  const id = await s.reviewed("one", "F", [...findings]);
  const { results } = await fixNamed(s.services, [id]);
  expect(results).toMatchObject([{ outcome: "partly", closed: false }]);
  const dispositions = async () =>
    (await s.client.review({ job_id: id })).findings?.map(({ disposition }) => disposition);
  expect(await dispositions()).toMatchObject([
    { state: "fixed", by: "roborev-fix", message: "the list is checked" },
    { state: "deferred", by: "roborev-fix", message: "needs a decision of the owner" },
  ]);
  // Nothing is left to ask for.
  const again = await fixOpen(s.services, everything);
  expect(again.results).toMatchObject([{ job_id: id, outcome: "skipped", closed: false }]);
  expect(again.results[0]?.message).toContain("every finding is dealt with");
  expect(s.calls()).toHaveLength(1);
  // Whoever names the review wants it looked at once more; what a developer decided stays decided.
  const decided = { job_id: id, commenter: "ada", comment: "as meant", disposition: "refuted" } as const;
  await s.client.comment({ ...decided, finding: 1 });
  s.agent("say 'FINDING 2: REFUTED - it is fast enough now'");
  expect((await fixNamed(s.services, [id])).results).toMatchObject([{ outcome: "refuted", closed: true }]);
  expect(s.calls()[1]?.prompt).toContain("(number 2)");
});

test("a finding that an agent without a commit calls fixed is not kept as fixed", async () => {
  await using s = await fixScene("say 'FINDING 1: FIXED - trust me, it is gone'");
  const id = await s.reviewed("one");
  expect((await fixNamed(s.services, [id])).results).toMatchObject([
    { outcome: "unanswered", closed: false },
  ]);
  expect((await s.client.review({ job_id: id })).findings?.[0]).not.toHaveProperty("disposition");
});
