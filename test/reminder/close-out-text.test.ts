import { describe, expect, test } from "bun:test";
import type { Trigger } from "../../src/reminder/decision.ts";
import type { Cli } from "../../src/reminder/instruction.ts";
import { reminderText } from "../../src/reminder/text.ts";

const id = "2f1c9f3e-6a2b-4c56-9d0e-3b7a5a1e8c44";
const trigger: Trigger = {
  by: "failed_reviews",
  ids: [12, 11],
  unnamed: 0,
  turns: 0,
  commits: 0,
  scope: { worktreeRoot: "/src/app", trackedRoot: "/src/app", head: "c1", branch: "main" },
  fixSessionId: id,
};
const closing: Partial<Trigger> = { by: "fix_session", ids: [], closing: [12, 11] };

const text = (change: Partial<Trigger>, cli: Partial<Cli> = {}) =>
  reminderText({
    trigger: { ...trigger, ...change },
    instruction: "",
    fixGuidelines: "Standing policy.",
    cli: { platform: "linux", executable: "/opt/roborev", ...cli },
    maxBytes: 9000,
  });

const commands = (told: string) => told.match(/agent-hook fix-done/g)?.length;

describe("100 the command that ends the fix session", () => {
  test("stands in every reminder, in front of the guidelines, by the program's own path", () => {
    expect(text({})).toEndWith(
      `\n\nWhen you are done with these reviews, run \`/opt/roborev agent-hook fix-done ${id}\`.\n\n## Autofix Guidelines\n\nStanding policy.`,
    );
    expect(commands(text({}))).toBe(1);
    expect(text({}, { executable: "/opt/my tools/it's" })).toContain(
      `run \`'/opt/my tools/it'\\''s' agent-hook fix-done ${id}\``,
    );
  });

  test("names the daemon's address where the hook was given one, so that it reaches the daemon that granted it", () => {
    const server = "unix:///run/user/1000/roborev.sock";
    expect(text({}, { server })).toContain(`agent-hook fix-done --roborev-server ${server} ${id}\``);
    expect(text({}, { server: "unix:///a b/s" })).toContain(`--roborev-server 'unix:///a b/s' ${id}\``);
  });
});

describe("101 asking the owner to finish", () => {
  test("names what is open and the command, once, without guidelines or instruction", () => {
    const told = text(closing);
    expect(told).toStartWith(
      "Finish the fixes that you began before you stop: roborev review jobs 12, 11 are still open. ",
    );
    expect(told).toEndWith(`run \`/opt/roborev agent-hook fix-done ${id}\`.`);
    expect(commands(told)).toBe(1);
    for (const absent of ["Standing policy", "Autofix", "Act on", "skill", "Review job id"])
      expect(told).not.toContain(absent);
    expect(text({ ...closing, closing: [7] })).toContain("roborev review job 7 is still open. ");
  });

  test("with what is new in the same text is a whole reminder behind it, with the command once", () => {
    const told = text({ ...closing, ids: [13] });
    expect(told).toStartWith(
      "Finish the fixes that you began before you stop: roborev review jobs 12, 11 are still open. ",
    );
    expect(told).toContain(" Also:\n\nAct on the open roborev findings now");
    expect(told).toContain("Review job id: 13.");
    expect(told).toEndWith("Standing policy.");
    expect(commands(told)).toBe(1);
  });
});
