import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findHarness } from "../../src/harness/registry.ts";
import { skills } from "../../src/skills/catalogue.ts";
import { installSkills, type SkillChange } from "../../src/skills/install.ts";
import { sealed } from "../../src/skills/seal.ts";
import { skillStatus } from "../../src/skills/status.ts";
import { tempDir } from "../support/temp.ts";

const claude = findHarness("claude")!;
const codex = findHarness("codex")!;
const names = skills.map(({ name }) => name);

/** A home with a directory of skills, `.claude/skills`. */
function home(files: Record<string, string> = {}) {
  const dir = tempDir(files);
  const directory = dir.join(".claude/skills");
  const file = (name: string) => join(directory, name, "SKILL.md");
  return {
    dir,
    directory,
    file,
    read: (name: string) => readFileSync(file(name), "utf8"),
    install: async (more: { onlyPresent?: boolean; force?: boolean } = {}, harness = claude) =>
      resultsOf(await installSkills(harness, { directory, ...more })),
    states: async () => {
      const status = await skillStatus(claude, { env: { HOME: dir.path }, cwd: "/" });
      return Object.fromEntries<string>(status!.skills.map(({ name, state }) => [name, state]));
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

const resultsOf = (changes: SkillChange[]): Record<string, string> =>
  Object.fromEntries(changes.map(({ name, result }) => [name, result]));
const all = (result: string) => Object.fromEntries(names.map((name) => [name, result]));
/** What an earlier release may have written. */
const older = (name: string) =>
  sealed(`---\nname: ${name}\nmetadata:\n  roborev-digest: "0000000000000000"\n---\nold\n`);

describe("C11 skills", () => {
  test("are written for an agent, once, privately, and nothing else is", async () => {
    using h = home();
    expect(await h.install()).toEqual(all("installed"));
    expect(readdirSync(h.directory).sort()).toEqual([...names].sort());
    expect(readdirSync(join(h.directory, "roborev-fix"))).toEqual(["SKILL.md"]);
    expect(statSync(h.file("roborev-fix")).mode & 0o777).toBe(0o600);
    expect(await h.states()).toEqual(all("installed"));
    const written = statSync(h.file("roborev-fix")).mtimeMs;
    expect(await h.install()).toEqual(all("current"));
    expect(statSync(h.file("roborev-fix")).mtimeMs).toBe(written);
  });

  test("of an agent whose configuration directory is missing are no_agent", async () => {
    using h = home();
    expect(await h.states()).toEqual(all("no_agent"));
    mkdirSync(h.dir.join(".claude"));
    expect(await h.states()).toEqual(all("missing"));
  });

  test("of an older release are outdated, and replaced", async () => {
    using h = home({ ".claude/skills/roborev-fix/SKILL.md": older("roborev-fix") });
    expect(await h.states()).toEqual({ ...all("missing"), "roborev-fix": "outdated" });
    expect(await h.install()).toEqual({ ...all("installed"), "roborev-fix": "updated" });
    expect(await h.states()).toEqual(all("installed"));
  });

  test("that are not there are not installed anew by an update", async () => {
    using h = home({ ".claude/skills/roborev-fix/SKILL.md": older("roborev-fix") });
    expect(await h.install({ onlyPresent: true })).toEqual({ ...all("absent"), "roborev-fix": "updated" });
    expect(readdirSync(h.directory)).toEqual(["roborev-fix"]);
  });

  test("that were edited are kept with all their bytes, unless they are to be replaced", async () => {
    using h = home();
    await h.install();
    const edited = `${h.read("roborev-fix")}\nAnd run make lint.\n`;
    writeFileSync(h.file("roborev-fix"), edited);
    writeFileSync(h.file("roborev-snooze"), "---\nname: roborev-snooze\n---\nmy own\n");
    expect(await h.states()).toEqual({
      ...all("installed"),
      "roborev-fix": "edited",
      "roborev-snooze": "edited",
    });
    expect(await h.install()).toEqual({ ...all("current"), "roborev-fix": "kept", "roborev-snooze": "kept" });
    expect(h.read("roborev-fix")).toBe(edited);
    expect(await h.install({ force: true })).toMatchObject({ "roborev-fix": "updated" });
    expect(await h.states()).toEqual(all("installed"));
  });

  test("with line ends of another system are edited: what is there is not ours to the byte", async () => {
    using h = home();
    await h.install();
    writeFileSync(h.file("roborev-fix"), h.read("roborev-fix").replaceAll("\n", "\r\n"));
    expect(await h.states()).toMatchObject({ "roborev-fix": "edited" });
  });

  test("lose the one that an earlier release wrote under another name, if it is that one", async () => {
    const text = "---\nname: roborev-address\n---\nRun `roborev show 1`, then `roborev address 1`.\n";
    for (const [files, gone] of [
      [{ "SKILL.md": text }, true],
      [{ "SKILL.md": text.replace("roborev-address", "roborev:address") }, true],
      [{ "SKILL.md": text, "agents/openai.yaml": "policy: {}\n" }, true],
      [{ "SKILL.md": text, "notes.md": "mine" }, false],
      [{ "SKILL.md": text.replace("name: roborev-address", "name: other") }, false],
      [{ "SKILL.md": "---\nname: roborev-address\n---\nAsk a colleague.\n" }, false],
      [{ "notes.md": "mine" }, false],
    ] as [Record<string, string>, boolean][]) {
      using h = home(
        Object.fromEntries(
          Object.entries(files).map(([name, content]) => [`.claude/skills/roborev-address/${name}`, content]),
        ),
      );
      const { "roborev-address": result } = await h.install();
      expect([files, result]).toEqual([files, gone ? "removed" : "kept"]);
      expect(existsSync(join(h.directory, "roborev-address"))).toBe(!gone);
    }
  });

  test("for Codex bring the file that keeps the model from using them unasked, but roborev-fix", async () => {
    using h = home();
    await h.install({}, codex);
    const policy = join(h.directory, "roborev-review/agents/openai.yaml");
    expect(readFileSync(policy, "utf8")).toContain("\npolicy:\n  allow_implicit_invocation: false\n");
    expect(existsSync(join(h.directory, "roborev-fix/agents"))).toBe(false);
    expect(h.read("roborev-review")).toContain("`$roborev-fix`");
    rmSync(policy);
    expect(await h.install({ onlyPresent: true }, codex)).toMatchObject({ "roborev-review": "updated" });
    writeFileSync(policy, "policy:\n  allow_implicit_invocation: true\n");
    expect(await h.install({}, codex)).toMatchObject({ "roborev-review": "kept" });
  });
});

describe("links", () => {
  test("a directory of skills that is a link is written through", async () => {
    using h = home({ "dotfiles/skills/.keep": "" });
    mkdirSync(h.dir.join(".claude"));
    symlinkSync(h.dir.join("dotfiles/skills"), h.directory);
    expect(await h.install()).toEqual(all("installed"));
    expect(existsSync(h.dir.join("dotfiles/skills/roborev-fix/SKILL.md"))).toBe(true);
  });

  test("a skill that is a link to one of ours elsewhere is updated there", async () => {
    using h = home({ "dotfiles/fix/SKILL.md": older("roborev-fix"), ".claude/skills/.keep": "" });
    symlinkSync(h.dir.join("dotfiles/fix"), join(h.directory, "roborev-fix"));
    expect(await h.install()).toEqual({ ...all("installed"), "roborev-fix": "updated" });
    expect(readFileSync(h.dir.join("dotfiles/fix/SKILL.md"), "utf8")).toBe(h.read("roborev-fix"));
  });

  test("one that leads out to anything else is refused, forced or not, and the others are installed", async () => {
    using h = home({ bashrc: "export A=1\n", "elsewhere/.keep": "", ".claude/skills/roborev-fix/.keep": "" });
    symlinkSync(h.dir.join("bashrc"), h.file("roborev-fix"));
    symlinkSync(h.dir.join("elsewhere"), join(h.directory, "roborev-review"));
    symlinkSync(h.dir.join("nowhere"), join(h.directory, "roborev-refine"));
    const refused = { "roborev-fix": "failed", "roborev-review": "failed", "roborev-refine": "failed" };
    for (const force of [false, true]) expect(await h.install({ force })).toMatchObject(refused);
    expect(readFileSync(h.dir.join("bashrc"), "utf8")).toBe("export A=1\n");
    expect(readdirSync(h.dir.join("elsewhere"))).toEqual([".keep"]);
    expect(await h.states()).toEqual({
      ...all("installed"),
      "roborev-fix": "refused",
      "roborev-review": "refused",
      "roborev-refine": "refused",
    });
    const [first] = await installSkills(claude, { directory: h.directory });
    expect(first?.problem).toStartWith(`${h.file("roborev-fix")} leads out of the directory of skills, to `);
  });
});

test("a file that its owner made read-only, and a file where a directory should be, fail and say so", async () => {
  using h = home({
    ".claude/skills/roborev-fix/SKILL.md": older("roborev-fix"),
    ".claude/skills/roborev-snooze": "x",
  });
  chmodSync(h.file("roborev-fix"), 0o400);
  const changes = await installSkills(claude, { directory: h.directory });
  const problems = changes.filter(({ result }) => result === "failed");
  expect(problems.map(({ name }) => name)).toEqual(["roborev-fix", "roborev-snooze"]);
  expect(problems[0]?.problem).toContain("is read-only");
  expect(problems[1]?.problem).toContain(join(h.directory, "roborev-snooze"));
  expect(h.read("roborev-fix")).toBe(older("roborev-fix"));
});

test("two installs at once leave the same skills as one, and none of them fails", async () => {
  using h = home();
  const both = await Promise.all([h.install(), h.install()]);
  expect(both.flatMap((results) => Object.values(results)).filter((result) => result === "failed")).toEqual(
    [],
  );
  expect(await h.states()).toEqual(all("installed"));
});
