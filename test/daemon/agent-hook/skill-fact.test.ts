import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { skillFact } from "../../../src/daemon/agent-hook/skill-fact.ts";
import { findHarness, harnesses } from "../../../src/harness/registry.ts";
import { installSkills } from "../../../src/skills/install.ts";
import { sealed } from "../../../src/skills/seal.ts";
import { skillDirectory } from "../../../src/skills/status.ts";
import { tempDir } from "../../support/temp.ts";
import { scene } from "./scene.ts";

const claude = findHarness("claude")!;

test("a skill is present as written or edited, outdated from an older release, missing, or cannot be told", async () => {
  using dir = tempDir();
  const env = { HOME: dir.path };
  const file = dir.join(".claude/skills/roborev-fix/SKILL.md");
  const write = (text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  expect(await skillFact(claude, undefined, env)).toBe("missing");
  await installSkills(claude, { directory: dir.join(".claude/skills") });
  expect(await skillFact(claude, undefined, env)).toBe("present");
  write("mine");
  expect(await skillFact(claude, undefined, env)).toBe("present");
  write(sealed('---\nname: roborev-fix\nmetadata:\n  roborev-digest: "0000000000000000"\n---\nold\n'));
  expect(await skillFact(claude, undefined, env)).toBe("outdated");
  symlinkSync("/nowhere", dir.join(".codex"));
  expect(await skillFact(findHarness("codex")!, undefined, env)).toBe("unknown");
});

test("it is looked for where the session's own environment puts the configuration", async () => {
  for (const harness of harnesses) {
    const { directoryVariable: variable, belowVariable = "" } = harness.config;
    if (variable === undefined) continue;
    using dir = tempDir();
    const env = { HOME: dir.join("home") };
    const moved = dir.join("moved");
    expect(skillDirectory(harness, { ...env, [variable]: moved }, "/")).toBe(
      dir.join(["moved", belowVariable, "skills"].filter(Boolean).join("/")),
    );
    await installSkills(harness, { directory: skillDirectory(harness, { [variable]: moved }, "/")! });
    expect([harness.name, await skillFact(harness, moved, env)]).toEqual([harness.name, "present"]);
    expect(await skillFact(harness, undefined, env)).toBe("missing");
  }
});

test("W a session is told once that the skill is missing, and with each reminder what it has", async () => {
  await using s = await scene();
  const config = s.dir.join("claude");
  const told = async (session_id: string, id = s.fail(4)) => {
    const answer = await s.event({ session_id, turn_id: String(id[0]) }, { config_directory: config });
    expect(answer).toMatchObject({ triggered: true });
    await s.fixDone(answer);
    return answer.reason ?? "";
  };
  const warning =
    "The roborev-fix skill for Claude Code is missing: run `roborev skills install --agent claude` first.";
  expect(await told("s1")).toStartWith(
    `${warning}\n\nAct on the open roborev findings now, before you go on. Use the roborev command line`,
  );
  expect((await s.sessions())["claude:s1"]?.skill_warned_at).toBeString();
  expect(await told("s1")).toStartWith(
    "Act on the open roborev findings now, before you go on. Use the roborev command",
  );
  expect(await told("s2")).toStartWith(warning);
  await installSkills(claude, { directory: `${config}/skills` });
  expect(await told("s1")).toStartWith(
    "Act on the open roborev findings now, before you go on: use the roborev-fix skill (`/roborev-fix`)",
  );
});
