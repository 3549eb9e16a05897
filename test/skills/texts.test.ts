import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { harnesses } from "../../src/harness/registry.ts";
import { skills } from "../../src/skills/catalogue.ts";
import { skillFiles } from "../../src/skills/files.ts";
import { skillPrograms } from "../../src/skills/programs.ts";
import { isUntouched } from "../../src/skills/seal.ts";

const written = Object.entries(skillPrograms).flatMap(([agent, program]) =>
  skills.map((skill) => ({ agent, program, skill, files: skillFiles(skill, program) })),
);
const textOf = (agent: string, name: string) =>
  written.find((one) => one.agent === agent && one.skill.name === name)?.files[0]?.text ?? "";
const front = (text: string) => parse(text.split("\n---\n")[0]?.replace(/^---\n/, "") ?? "");

test("every harness has a folder for skills, and each is one of ours", () => {
  expect(Object.keys(skillPrograms).sort()).toEqual(harnesses.map(({ name }) => name).sort());
});

describe.each(written.map((one) => [`${one.skill.name} for ${one.agent}`, one] as const))(
  "%s",
  (_, { program, skill, files }) => {
    const [text = "", policy] = files.map((file) => file.text);

    test("has the front matter of the standard: a name as its directory, a description, texts as metadata", () => {
      expect(text).toStartWith(`---\nname: ${skill.name}\ndescription: `);
      const { name, description, metadata, ...rest } = front(text);
      expect(name).toBe(skill.name);
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(description.length).toBeGreaterThan(20);
      expect(description.length).toBeLessThanOrEqual(500);
      expect(metadata).toEqual({ "roborev-digest": expect.stringMatching(/^[0-9a-f]{16}$/) });
      const closed = skill.explicit && program.explicitBy === "front-matter";
      expect(rest).toEqual(closed ? { "disable-model-invocation": true } : {});
    });

    test("is taken up unasked only if it is roborev-fix", () => {
      const said = [
        front(text)["disable-model-invocation"] === true,
        policy !== undefined && parse(policy).policy.allow_implicit_invocation === false,
        front(text).description.endsWith(" Only when the user asks for it."),
      ].filter(Boolean);
      expect(said).toHaveLength(skill.name === "roborev-fix" ? 0 : 1);
    });

    test("is sealed, whole and short", () => {
      for (const file of files) {
        expect(isUntouched(file.text)).toBe(true);
        expect(isUntouched(`${file.text} `)).toBe(false);
        expect(file.text).not.toMatch(/\{\{|\}\}|undefined/);
        expect(file.text).toEndWith("\n");
      }
      expect(text.length).toBeLessThan(5000);
    });
  },
);

test("other skills are named as the user calls them", () => {
  expect(textOf("claude", "roborev-review")).toContain("offer `/roborev-fix`");
  expect(textOf("codex", "roborev-review")).toContain("offer `$roborev-fix`");
});

test("a skill with an unknown passage is a mistake of ours", () => {
  const skill = { name: "x", explicit: false, text: "---\nname: x\n---\n{{nothing}}\n" };
  expect(() => skillFiles(skill, skillPrograms.claude!)).toThrow("no passage nothing");
});
