import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { installGitHooks } from "../../../src/git/hooks/install.ts";
import { gitHookStatus } from "../../../src/git/hooks/status.ts";
import { uninstallGitHooks } from "../../../src/git/hooks/uninstall.ts";
import { type HookedRepo, hookedRepo, modeOf } from "./hooked-repo.ts";

const results = (outcomes: { result: string }[]) => outcomes.map(({ result }) => result);
const tree = (place: HookedRepo) => readdirSync(place.checkout.commonDir, { recursive: true }).toSorted();

test("uninstalling leaves the git directory as it was, and a second time finds nothing", async () => {
  using place = await hookedRepo();
  rmSync(join(place.checkout.commonDir, "hooks"), { recursive: true, force: true });
  const before = tree(place);
  await installGitHooks(place.checkout, { binary: place.binary });
  expect(results(await uninstallGitHooks(place.checkout))).toEqual(["removed", "removed"]);
  expect(tree(place)).toEqual(before);
  expect(results(await uninstallGitHooks(place.checkout))).toEqual(["absent", "absent"]);
});

test("D11 install then uninstall is byte-identical for any hook, and cuts only our block from one edited since", async () => {
  using place = await hookedRepo();
  const head = fc.constantFrom(
    "",
    "#!/bin/sh\n",
    "#!/bin/sh",
    "#!/usr/bin/env -S bash -e\n",
    "#! /bin/zsh \r\n",
  );
  const line = fc.constantFrom(
    ...["echo 1", "exit 1", "", "  ", "\r", "# roborev is great", "# roborev post-commit hook of mine", "\t"],
    ...["roborev status", "cat <<EOF", "EOF", "fi", "é\x80", "_roborev_hook", "# end", "return 0"],
  );
  const body = fc.tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("", "\n", "\n\n", "\r\n"));
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString("latin1"));
  const text = fc.tuple(
    head,
    fc.oneof({ weight: 4, arbitrary: body.map(([all, end]) => all.join("\n") + end) }, bytes),
  );
  const mode = fc.constantFrom(0o755, 0o644, 0o700);
  const edit = fc.option(fc.constantFrom("echo added\n", "\n", "# roborev\n"), { nil: undefined });
  const hook = fc.tuple(text, mode);
  await fc.assert(
    fc.asyncProperty(hook, hook, edit, async ([one, modeOne], [two, modeTwo], added) => {
      const files = [
        { name: "post-commit", text: Buffer.from(one.join(""), "latin1"), mode: modeOne },
        { name: "post-rewrite", text: Buffer.from(two.join(""), "latin1"), mode: modeTwo },
      ];
      for (const file of files) place.writeHook(file.name, file.text.toString("latin1"), file.mode);
      for (const file of files) writeFileSync(place.hook(file.name), file.text);
      const outcomes = await installGitHooks(place.checkout, { binary: place.binary });
      if (added !== undefined) for (const { name } of files) appendFileSync(place.hook(name), added);
      await uninstallGitHooks(place.checkout);
      for (const [index, file] of files.entries()) {
        const now = readFileSync(place.hook(file.name));
        const isCut = added !== undefined && outcomes[index]?.result === "installed";
        // The block needs a line of its own, which a shebang without a line break has to be given.
        const lineBreak = isCut && /^#![^\n]*$/.test(file.text.toString("latin1")) ? "\n" : "";
        const expected = Buffer.concat([file.text, Buffer.from(lineBreak + (added ?? ""))]);
        expect(now.toString("latin1")).toBe(expected.toString("latin1"));
        expect(modeOf(place.hook(file.name))).toBe(file.mode);
      }
      expect(existsSync(join(place.checkout.commonDir, "roborev"))).toBe(false);
    }),
    { numRuns: 170 }, // two hooks each
  );
}, 120_000);

test("H07 a standalone hook that the user added to keeps what was added", async () => {
  using place = await hookedRepo();
  await installGitHooks(place.checkout, { binary: place.binary });
  const mine = "# mine, because roborev ends before it\necho mine\n";
  appendFileSync(place.hook("post-commit"), mine);
  expect(results(await uninstallGitHooks(place.checkout))).toEqual(["removed", "removed"]);
  expect(place.readHook("post-commit")).toBe(`#!/bin/sh\n${mine}`);
});

test("H07 without a record the block is cut, and a file of which only the shebang is left is deleted", async () => {
  using place = await hookedRepo();
  place.writeHook("post-rewrite", "#!/bin/sh\necho theirs\n");
  await installGitHooks(place.checkout, { binary: place.binary });
  rmSync(join(place.checkout.commonDir, "roborev"), { recursive: true });
  await uninstallGitHooks(place.checkout);
  expect([place.readHook("post-commit"), place.readHook("post-rewrite")]).toEqual([
    undefined,
    "#!/bin/sh\necho theirs\n",
  ]);
});

test("a block without its end is left alone and named", async () => {
  using place = await hookedRepo();
  await installGitHooks(place.checkout, { binary: place.binary });
  const damaged =
    place.readHook("post-commit")?.replace("# roborev post-commit hook end\n", "echo mine\n") ?? "";
  place.writeHook("post-commit", damaged);
  expect((await gitHookStatus(place.checkout)).hooks[0]?.state).toBe("damaged");
  const [outcome] = await uninstallGitHooks(place.checkout);
  expect(outcome).toMatchObject({ result: "kept", warnings: [expect.stringContaining("by hand")] });
  expect(place.readHook("post-commit")).toBe(damaged);
});

test("a forged record cannot put other bytes into a hook outside the repository, nor reach other files", async () => {
  using place = await hookedRepo();
  const { checkout, binary, repo, side } = place;
  repo.git("config", "--global", "core.hooksPath", side.join("shared"));
  mkdirSync(side.join("shared"));
  try {
    await installGitHooks(checkout, { binary });
    const record = join(checkout.commonDir, "roborev/git-hooks.json");
    const forged = JSON.parse(readFileSync(record, "utf8"));
    for (const entry of forged.hooks)
      entry.former = Buffer.from("#!/bin/sh\ntouch /canary\n").toString("base64");
    forged.hooks.push({ ...forged.hooks[0], path: side.join("elsewhere/post-commit") });
    await Bun.write(side.join("elsewhere/post-commit"), readFileSync(side.join("shared/post-commit")));
    await Bun.write(record, JSON.stringify(forged));
    const outcomes = await uninstallGitHooks(checkout);
    expect(results(outcomes)).toEqual(["removed", "removed", "kept"]);
    expect(existsSync(side.join("elsewhere/post-commit"))).toBe(true);
    const left = existsSync(side.join("shared/post-commit"))
      ? readFileSync(side.join("shared/post-commit"), "utf8")
      : "";
    expect(left).not.toContain("canary");
  } finally {
    repo.git("config", "--global", "--unset", "core.hooksPath");
  }
});

test("an unreadable record is named, and nothing is touched", async () => {
  using place = await hookedRepo();
  await installGitHooks(place.checkout, { binary: place.binary });
  const record = join(place.checkout.commonDir, "roborev/git-hooks.json");
  await Bun.write(record, "{");
  await expect(uninstallGitHooks(place.checkout)).rejects.toMatchObject({ code: "E_HOOK_RECORD" });
  expect(place.readHook("post-commit")).toContain("roborev");
});
