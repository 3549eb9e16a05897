import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAlive } from "../../support/alive.ts";
import { waitFor } from "../../support/wait.ts";
import { edit, type RefineScene, refineScene } from "./scene.ts";

setDefaultTimeout(60_000); // other test runs may share the processors

function hook(s: RefineScene, name: string, shell: string): void {
  const hooks = `${s.repo.path}/.git/hooks`;
  mkdirSync(hooks, { recursive: true });
  writeFileSync(`${hooks}/${name}`, `#!/bin/sh\ndir='${s.dir.path}'\n${shell}\n`);
  chmodSync(`${hooks}/${name}`, 0o755);
}

/** An agent that edits at first, and does something else when a hook refused. */
const thenMends = (shell: string) =>
  `if grep -q '^# A git hook refused' "$PROMPT"; then pwd >"$dir/mended-in"; ${shell}; say 'mended'; else ${edit("cart.ts", "tab")}; fi`;

test("C08 what a pre-commit hook refuses the agent mends in the working tree, with the hook's output; then it is committed", async () => {
  await using s = await refineScene(
    thenMends("echo clean >cart.ts; echo new >helper.ts; echo theirs >>notes.txt"),
  );
  hook(s, "pre-commit", "if grep -q tab cart.ts; then echo 'cart.ts:1: no tabs allowed'; exit 1; fi");
  const id = await s.reviewed("one");
  writeFileSync(`${s.repo.path}/notes.txt`, "mine");
  const run = await s.refine();
  expect(run).toMatchObject({ outcome: "passed", iterations: 1 });
  expect(run.results).toMatchObject([{ job_id: id, outcome: "fixed", closed: true }]);
  const [, mend] = s.calls();
  expect(mend?.prompt).toContain("| pre-commit\n| cart.ts:1: no tabs allowed");
  expect(mend?.prompt).toContain("| notes.txt");
  expect(readFileSync(s.dir.join("mended-in"), "utf8").trim()).toBe(s.repo.path);
  expect(s.repo.git("show", "--format=", "--name-only", "HEAD")).toBe("cart.ts\nhelper.ts");
  expect(s.repo.git("show", "HEAD:cart.ts")).toBe("clean");
  expect(s.repo.git("status", "--porcelain")).toBe("?? notes.txt");
});

test("C08 a hook that refuses three times ends the run; the working tree is as it was, the review open", async () => {
  await using s = await refineScene(thenMends("echo again >>cart.ts"));
  const id = await s.reviewed("one");
  hook(s, "commit-msg", "echo x >>\"$dir/attempts\"; echo 'needs a ticket' >&2; exit 1");
  const head = s.repo.git("rev-parse", "HEAD");
  await expect(s.refine()).rejects.toMatchObject({
    code: "E_COMMIT_REFUSED",
    message: "the git hook commit-msg refused the commit 3 times: needs a ticket",
  });
  expect(readFileSync(s.dir.join("attempts"), "utf8")).toBe("x\nx\nx\n");
  expect(s.warned).toEqual(["The working tree is as it was."]);
  expect([s.repo.git("rev-parse", "HEAD"), s.repo.git("status", "--porcelain")]).toEqual([head, ""]);
  expect([await s.isClosed(id), await s.comments(id)]).toEqual([false, []]);
});

test("C08 an agent that commits or switches branches instead of mending ends the run, and nothing is taken back", async () => {
  for (const [shell, message, warning] of [
    ["git commit -qnam own", "made the commit", "somebody made the commit"],
    ["git checkout -q -b elsewhere", "went from feature to elsewhere", "somebody went from feature"],
  ]) {
    await using s = await refineScene(thenMends(shell as string));
    await s.reviewed("one");
    hook(s, "pre-commit", "exit 1");
    await expect(s.refine()).rejects.toMatchObject({
      code: "E_ASTRAY",
      message: expect.stringContaining(`what the git hook pre-commit refused, and ${message}`),
    });
    expect(s.warned[0]).toContain(warning as string);
    expect(readFileSync(`${s.repo.path}/cart.ts`, "utf8")).toContain("tab");
  }
});

test("a commit that fails for another reason than a hook ends the run at once, with the working tree as it was", async () => {
  await using s = await refineScene(edit("cart.ts"));
  hook(s, "pre-commit", "exit 0");
  await s.reviewed("one");
  s.repo.git("config", "commit.gpgSign", "true");
  s.repo.git("config", "gpg.program", "false");
  await expect(s.refine()).rejects.toMatchObject({
    code: "E_GIT",
    message: expect.stringContaining("git commit in"),
  });
  expect(s.warned).toEqual(["The working tree is as it was."]);
  expect(s.repo.git("status", "--porcelain")).toBe("");
  expect(s.calls()).toHaveLength(1);
});

test("C08 a working tree whose HEAD, branch or tracked files change while the agent works is left as it is, the run ends", async () => {
  const main = '"$(git rev-parse --git-common-dir)/.."';
  for (const [shell, what] of [
    [`git -C ${main} commit -q --allow-empty -m other`, "HEAD moved to"],
    [`git -C ${main} checkout -q -b other`, "somebody went from feature to other"],
    [`echo edited >>${main}/README.md`, "tracked files were changed"],
    [`git -C ${main} commit -q --amend --allow-empty -m other`, "somebody rewrote commits"],
  ]) {
    await using s = await refineScene(`${shell}; ${edit("cart.ts")}`);
    const id = await s.reviewed("one");
    await expect(s.refine()).rejects.toMatchObject({
      code: "E_MOVED",
      message: expect.stringContaining(what as string),
    });
    expect(existsSync(`${s.repo.path}/cart.ts`)).toBe(false);
    expect(await s.comments(id)).toEqual([]);
  }
});

test("a change that a file of the user stands in the way of is not taken over, not even in part", async () => {
  await using s = await refineScene(`echo more >>one.ts; ${edit("notes.txt")}`);
  await s.reviewed("one");
  writeFileSync(`${s.repo.path}/notes.txt`, "mine");
  await expect(s.refine()).rejects.toMatchObject({ code: "E_APPLY" });
  expect(readFileSync(`${s.repo.path}/notes.txt`, "utf8")).toBe("mine");
  expect(s.repo.git("status", "--porcelain")).toBe("?? notes.txt");
});

test("an interrupt ends the agent, removes its worktree, and says that the working tree is as it was and what was committed", async () => {
  await using s = await refineScene(
    `if [ -e mended.ts ]; then echo x >>one.ts; sleep 600 & echo $! >"$dir/child"; echo $$ >"$dir/pid"; wait; else ${edit("mended.ts")}; fi`,
  );
  const [one] = [await s.reviewed("one"), await s.reviewed("two")];
  const interrupt = new AbortController();
  const failed = s.refine({ signal: interrupt.signal }).then(
    () => "",
    (error: Error) => error.message,
  );
  await waitFor("the second agent", () => existsSync(s.dir.join("pid")));
  interrupt.abort(new Error("interrupted"));
  expect(await failed).toBe("interrupted");
  for (const name of ["pid", "child"])
    expect(isAlive(Number(readFileSync(s.dir.join(name), "utf8")))).toBe(false);
  const made = s.repo.git("rev-parse", "--short=7", "HEAD");
  expect(s.warned).toEqual([
    "claude-code was ended. The working tree is as it was.",
    `Committed so far, and still there: ${made}.`,
  ]);
  expect(await s.isClosed(one)).toBe(true);
  expect(s.repo.git("status", "--porcelain")).toBe("");
  expect(readdirSync(s.services.lock.trees).filter((name) => name.startsWith("roborev-"))).toEqual([]);
});

test("an interrupt while a hook runs ends the hook, leaves no lock of git behind, and takes the change back", async () => {
  await using s = await refineScene(edit("cart.ts"));
  await s.reviewed("one");
  hook(s, "pre-commit", 'echo $$ >"$dir/hook"; sleep 600');
  const interrupt = new AbortController();
  const failed = s.refine({ signal: interrupt.signal }).then(
    () => "",
    (error: Error) => error.message,
  );
  await waitFor("the hook", () => existsSync(s.dir.join("hook")));
  interrupt.abort(new Error("interrupted"));
  expect(await failed).toBe("interrupted");
  expect(s.warned).toEqual(["The working tree is as it was."]);
  expect(s.repo.git("status", "--porcelain")).toBe("");
  expect(existsSync(`${s.repo.path}/.git/index.lock`)).toBe(false);
  s.repo.git("commit", "-q", "--allow-empty", "--no-verify", "-m", "still works");
});
