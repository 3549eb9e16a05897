import { expect, setDefaultTimeout, test } from "bun:test";
import { RoborevError } from "../../../src/lib/errors.ts";
import { claudeCode } from "../../../src/review/agents/claude-code.ts";
import { fixNamed, fixOpen } from "../../../src/review/fix/run-fix.ts";
import type { FixServices } from "../../../src/review/fix/services.ts";
import { isAlive } from "../../support/alive.ts";
import { waitFor } from "../../support/wait.ts";
import { fixScene, mend, refuteAll } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

const everything = { allBranches: false, newestFirst: false };
const failing = (text: string) =>
  `printf '{"type":"result","subtype":"error","is_error":true,"result":"${text}"}\\n'; exit 1`;
const message = (run: Promise<unknown>) =>
  run.then(
    () => "",
    (error: Error) => error.message,
  );

test("C06 without quota the whole run ends, with agent, reset time and what to do; no review is touched", async () => {
  await using s = await fixScene(failing("You\\047ve hit your session limit. Resets at 11:30 am"));
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  const run = fixOpen(s.services, everything);
  await expect(run).rejects.toMatchObject({
    code: "E_QUOTA",
    message: expect.stringMatching(
      /^quota: claude-code has nothing left and is not asked before \d{4}-\d\d-\d\d \d\d:\d\d \(in 30m\): /,
    ),
    hint: "Use another one with: roborev fix --agent NAME",
  });
  expect(s.calls()).toHaveLength(1);
  expect(s.warned).toEqual(["The working tree is as it was."]);
  expect([await s.comments(one), await s.comments(two)]).toEqual([[], []]);
});

test("C06 an agent without quota rests for the daemon's reviews too, and is not even started by the next fix", async () => {
  await using s = await fixScene(failing("quota exceeded"));
  const id = await s.reviewed("one");
  await message(fixOpen(s.services, everything));
  const [rest] = (await s.client.status()).agent_cooldowns;
  expect(rest).toMatchObject({ agent: "claude-code", reason: expect.stringContaining("quota exceeded") });
  s.agent(refuteAll);
  const again = fixNamed({ ...s.services, command: "refine" }, [id]);
  await expect(again).rejects.toMatchObject({
    code: "E_QUOTA",
    message: expect.stringMatching(
      /^quota: claude-code has nothing left and is not asked before .*: claude-code failed/,
    ),
    hint: "Use another one with: roborev refine --agent NAME",
  });
  expect(s.calls()).toHaveLength(1);
  expect(await s.isClosed(id)).toBe(false);
});

test("C06 a daemon that cannot be told of it does not hide that there is no quota", async () => {
  await using s = await fixScene(failing("quota exceeded"));
  await s.reviewed("one");
  const reportQuota = () => Promise.reject(new RoborevError("no such route", { code: "E_ROUTE" }));
  const client = { ...s.client, reportQuota };
  const run = fixOpen({ ...s.services, client }, everything);
  await expect(run).rejects.toMatchObject({ code: "E_QUOTA" });
  expect(s.warned[0]).toBe("The daemon was not told that claude-code has no quota: no such route");
});

test("C06 without quota in the middle of an edit the user is told what is left in the working tree", async () => {
  await using s = await fixScene(`echo x >>one.ts; ${failing("quota exceeded")}`);
  await s.reviewed("one");
  await message(fixOpen(s.services, everything));
  expect(s.warned).toEqual(["Not committed: one.ts. See: git status"]);
});

test("an agent that breaks off is told of and commented; the others are dealt with, but not after a named one", async () => {
  await using s = await fixScene(
    `if grep -q '(job 1)' "$PROMPT"; then echo 'cannot compile' >&2; exit 3; fi; ${refuteAll}`,
  );
  const [one, two] = [await s.reviewed("one"), await s.reviewed("two")];
  expect((await fixNamed(s.services, [one, two])).stopped).toBe("job 1 was not dealt with");
  const { results } = await fixOpen(s.services, everything);
  expect(results.map(({ outcome, closed }) => [outcome, closed])).toEqual([
    ["failed", false],
    ["refuted", true],
  ]);
  expect((await s.comments(one))[0]?.response).toBe(
    "claude-code failed (exit 3): cannot compile: the review stays open.",
  );
});

test("an agent that commits and then breaks off closes nothing; its commit is reviewed all the same", async () => {
  await using s = await fixScene(`${mend("a.ts")}; exit 1`);
  const id = await s.reviewed("one");
  const { results } = await fixOpen(s.services, everything);
  const head = s.repo.git("rev-parse", "HEAD");
  expect(results).toMatchObject([{ job_id: id, outcome: "failed", closed: false, commit: head }]);
  expect((await s.client.jobs({ git_ref: head })).jobs).toHaveLength(1);
  expect((await s.comments(id))[0]?.response).toContain(`after it made ${head.slice(0, 7)}`);
});

test("a prompt that is too long for the agent fails that review only", async () => {
  await using s = await fixScene(
    `if grep -q '(job 1)' "$PROMPT"; then ${failing("prompt is too long")}; fi; ${refuteAll}`,
  );
  await s.reviewed("one");
  await s.reviewed("two");
  expect((await fixOpen(s.services, everything)).results.map(({ outcome }) => outcome)).toEqual([
    "failed",
    "refuted",
  ]);
});

test("a program that is gone ends the run, because every review would meet the same", async () => {
  await using s = await fixScene();
  await s.reviewed("one");
  const agent: FixServices["agent"] = async () => ({
    ...{
      reviewer: claudeCode,
      command: ["/nowhere/claude"],
      requested: "claude-code",
      reasoning: "standard",
    },
  });
  await expect(fixOpen({ ...s.services, agent }, everything)).rejects.toMatchObject({
    code: "E_AGENT_MISSING",
  });
});

test("an interrupt ends the agent and all that it started, says what state the tree is in, and touches no review", async () => {
  await using s = await fixScene(
    `echo x >>one.ts; sleep 600 & echo $! >"$dir/child"; echo $$ >"$dir/pid"; wait`,
  );
  const id = await s.reviewed("one");
  const interrupt = new AbortController();
  const run = fixOpen({ ...s.services, signal: interrupt.signal }, everything);
  const failed = message(run);
  const pid = await waitFor("the agent", () =>
    Bun.file(s.dir.join("pid"))
      .text()
      .catch(() => ""),
  );
  const child = Number(await Bun.file(s.dir.join("child")).text());
  interrupt.abort(new Error("interrupted"));
  expect(await failed).toBe("interrupted");
  for (const gone of [Number(pid), child]) expect(isAlive(gone)).toBe(false);
  expect(s.warned).toEqual(["claude-code was ended. Not committed: one.ts. See: git status"]);
  expect(await s.comments(id)).toEqual([]);
});

test("D30 the agent carries the mark of a fixer, and where its git hook finds the daemon; not that of a reviewer", async () => {
  await using s = await fixScene(
    `env | grep -E 'ROBOREV|SSH_AUTH|GIT_AUTHOR' | sort >"$dir/env"; pwd >"$dir/cwd"; ${refuteAll}`,
  );
  const id = await s.reviewed("one");
  const env = {
    ...process.env,
    ROBOREV_REVIEW_JOB: "9",
    ROBOREV_DATA_DIR: "/data",
    SSH_AUTH_SOCK: "/agent",
    GIT_AUTHOR_NAME: "Ada",
  };
  await fixNamed({ ...s.services, env }, [id]);
  expect(await Bun.file(s.dir.join("env")).text()).toBe(
    `GIT_AUTHOR_NAME=Ada\nREVIEW_RUN_OF_ROBOREV=${s.services.lock.mark}\nROBOREV_DATA_DIR=/data\nROBOREV_FIX_JOB=${id}\nSSH_AUTH_SOCK=/agent\n`,
  );
  expect(await Bun.file(s.dir.join("cwd")).text()).toBe(`${s.repo.path}\n`);
});
