import { describe, expect, test } from "bun:test";
import { type SkillCall, skillInstruction } from "../../src/reminder/instruction.ts";
import { type Change, play, scope } from "./game.ts";
import { bytes, fixSessionId, write } from "./written.ts";

const failed = { thresholds: { turn: 0, commits: 0, failedReviews: 1 } };
const other = (n: number): Change => ({
  scope: { ...scope, worktreeRoot: `/w${n}`, branch: `b${n}` },
  channel: "context",
});

describe("the skill, as the policy sees it", () => {
  test.each(["missing", "outdated"] as const)("W one that is %s is told of once in a session", (state) => {
    const game = play(failed);
    game.git.skill = state;
    const first = game.send("PostToolUse", [1], other(1));
    expect(first.trigger).toMatchObject({ skill: state, warnsOfSkill: true });
    expect(game.session.skill_warned_at).toBe("2026-01-02T03:04:05.000Z");
    const second = game.send("PostToolUse", [2], other(2));
    expect(second.trigger).toMatchObject({ ids: [2], skill: state });
    expect(second.trigger).not.toHaveProperty("warnsOfSkill");
    const elsewhere = game.send("PostToolUse", [3], { ...other(3), sessionId: "s2" });
    expect(elsewhere.trigger).toMatchObject({ warnsOfSkill: true });
  });

  test("one that is there, and one that nobody can tell of, leave the session as it is", () => {
    for (const state of ["present", "unknown"] as const) {
      const game = play(failed);
      game.git.skill = state;
      const { trigger } = game.send("PostToolUse", [1]);
      expect(trigger?.skill).toBe(state === "present" ? state : undefined);
      expect(trigger).not.toHaveProperty("warnsOfSkill");
      expect(game.session).not.toHaveProperty("skill_warned_at");
    }
  });

  test("it is looked for only when something is told, and not to ask that work be finished", () => {
    const asked: string[] = [];
    const game = play(failed);
    const ask = ((question: Parameters<typeof game.git.answer>[0]) => {
      asked.push(question.ask);
      return question.ask === "skill" ? "missing" : game.git.answer(question);
    }) as never;
    game.send("PostToolUse", [], { ask });
    game.send("Stop", [], { ask });
    expect(asked).not.toContain("skill");
    game.send("PostToolUse", [1], { ask });
    expect(asked.filter((word) => word === "skill")).toHaveLength(1);
    const closeOut = game.send("Stop", [1, 2], { ask });
    expect(closeOut.trigger).toMatchObject({ by: "fix_session", ids: [2], closing: [1] });
    expect(closeOut.trigger).not.toHaveProperty("skill");
    expect(asked.filter((word) => word === "skill")).toHaveLength(1);
  });
});

const skillCall: SkillCall = { call: "$roborev-fix", agent: "codex", displayName: "Codex" };
const cli = { platform: "linux", executable: "/opt/my tools/roborev" };

describe("the skill, in the text", () => {
  test("W a warning is one sentence with the command, in front of everything, whoever wrote the instruction", () => {
    const sentence = (state: string, verb: string) =>
      `The roborev-fix skill for Codex is ${state}: run \`'/opt/my tools/roborev' skills ${verb} --agent codex\` first.\n\n`;
    for (const instruction of ["", "Do X."]) {
      for (const [skill, verb] of [
        ["missing", "install"],
        ["outdated", "update"],
      ] as const) {
        const quiet = write({ skill, skillCall, cli, instruction });
        expect(write({ skill, warnsOfSkill: true, skillCall, cli, instruction })).toBe(
          sentence(skill, verb) + quiet,
        );
        expect(quiet).not.toContain(" skills ");
      }
    }
  });

  test("a session that has the skill is told to use it for the named reviews, and what it does", () => {
    for (const skill of ["present", "outdated"] as const) {
      const text = write({ skill, skillCall });
      expect(text).toStartWith(skillInstruction(skillCall, { platform: "linux" }));
      expect(text).toContain("use the roborev-fix skill (`$roborev-fix`) for the review job ids named below");
      expect(text).toContain("Review job ids: 14, 13, 12, 11.");
      expect(bytes(text)).toBeLessThan(bytes(write()));
    }
  });

  test("a session without it is told the whole workflow, and not of a skill that it has not", () => {
    const text = write({ skill: "missing", skillCall });
    expect(text).not.toContain("skill");
    for (const command of [
      "fix --open --list",
      "show --job ID --json",
      "comment --commenter agent-hook --job ID",
      "close ID",
    ])
      expect(text).toContain(`\`roborev ${command}`);
  });

  test("who puts a summary between double quotes is told what a shell would read in it", () => {
    for (const skill of ["present", "missing"] as const) {
      expect(write({ skill, skillCall })).toContain(
        '--job ID "SUMMARY"`, without double quotes, backticks or dollar signs in the summary;',
      );
    }
  });

  test("what is not known is told as before: the skill, if there is one, else the whole workflow", () => {
    expect(write({ skillCall })).toBe(write());
    expect(write({ skill: "missing", warnsOfSkill: true })).toBe(write());
  });

  test("a custom instruction replaces what is said of the skill", () => {
    expect(write({ skill: "present", skillCall, instruction: "Do X." })).toBe(
      write({ instruction: "Do X." }),
    );
  });

  test("119 with a warning as well: own parts stay below 3 KB, and nothing is longer than the harness takes", () => {
    const long = { ...cli, executable: `/${"x".repeat(200)}/roborev`, server: `unix:///${"y".repeat(90)}` };
    for (const skill of ["missing", "outdated"] as const) {
      const own = { skill, warnsOfSkill: true as const, skillCall, cli: long, fixSessionId };
      expect(bytes(write(own))).toBeLessThan(3 * 1024);
      const crowded = { ...own, instruction: "line\n".repeat(4000), fixGuidelines: "g\n".repeat(4000) };
      expect(bytes(write({ ...crowded, maxBytes: 8000 }))).toBeLessThanOrEqual(8000);
    }
  });
});
