import { expect, test } from "bun:test";
import { fixSkill } from "../../../src/skills/catalogue.ts";
import { skillFiles } from "../../../src/skills/files.ts";
import { skillPrograms } from "../../../src/skills/programs.ts";
import { fixSessionId, write } from "../../reminder/written.ts";
import { commandsInReminder, commandsInSkill, nameOf, workOff } from "./follow.ts";

const cli = { platform: "linux", executable: "/opt/my tools/roborev" };
const skillCall = { call: "/roborev-fix", agent: "claude", displayName: "Claude Code" };
const words = { summary: "It's right.", account: 'It\'s "$5".' };
const request = "git said [main 1a2b3c4] Correct it";

const played = async (commands: string[], last: string) =>
  await Promise.all(
    workOff([7], commands, last, { words, commit: () => "git commit" }).map(async (step) =>
      typeof step === "function" ? await step(request, {}) : step,
    ),
  );

test("a reminder's commands are found between its words, the name of the skill is none", () => {
  const text = write({ skill: "missing", warnsOfSkill: true, skillCall, cli, fixSessionId });
  const commands = commandsInReminder(text);
  expect(commands.map(nameOf)).toEqual([
    "skills install",
    "fix",
    "show",
    "comment",
    "close",
    "agent-hook fix-done",
  ]);
  expect(commands.at(-1)).toBe(`'/opt/my tools/roborev' agent-hook fix-done ${fixSessionId}`);
  const short = commandsInReminder(write({ skill: "present", skillCall, cli, fixSessionId }));
  expect(short.map(nameOf)).toEqual(["show", "comment", "close", "agent-hook fix-done"]);
});

test("what is to be filled in is filled in, and the commit comes before what is recorded", async () => {
  const each = commandsInReminder(write()).filter((command) => /\bID\b/.test(command));
  expect(await played(each, "last")).toEqual([
    { shell: "roborev show --job 7 --json" },
    { shell: "git commit" },
    { shell: 'roborev comment --commenter agent-hook --job 7 "It\'s right."' },
    { shell: "roborev close 7" },
    { shell: "last" },
  ]);
});

test("a skill's commands come with the text that they are given, in words of the model's own", async () => {
  const [skill] = skillFiles(fixSkill, skillPrograms.claude!);
  const each = commandsInSkill(skill!.text).slice(1);
  const account = `<<'EOF'\n${words.account}\nEOF`;
  const comment = "roborev comment --commenter roborev-fix --job 7";
  expect(await played(each, "last")).toEqual(
    [
      "roborev show --job 7 --json",
      "git commit",
      `${comment} --finding 1,3 --fixed -m "In 1a2b3c4"`,
      `${comment} --finding 2 --refuted ${account}`,
      `${comment} --finding 4 --deferred ${account}`,
      `${comment} ${account}`,
      "roborev close 7",
      "last",
    ].map((shell) => ({ shell })),
  );
});
