import { describe, expect, test } from "bun:test";
import { fixSessionId, write } from "./written.ts";

const server = "unix:///home/u/data dir/daemon.sock";
const occurrences = (text: string, part: string): number => text.split(part).length - 1;
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]*)`/g)].map((match) => match[1] as string);

describe("the completion command", () => {
  test("stands alone after the detail, with the program that runs the hook and the id", () => {
    const text = write({ fixSessionId, cli: { platform: "linux", executable: "/opt/bin/roborev" } });
    expect(text).toEndWith(
      `\n\nWhen you are done with these reviews, run \`/opt/bin/roborev agent-hook fix-done ${fixSessionId}\`.`,
    );
  });

  test("is quoted as a shell reads it, a path with spaces, quotes or a dollar in one word", () => {
    for (const [executable, word] of [
      ["/opt/my tools/roborev", "'/opt/my tools/roborev'"],
      ["/home/o'neill/roborev", "'/home/o'\\''neill/roborev'"],
      ["/opt/$HOME/(x)&;/roborev", "'/opt/$HOME/(x)&;/roborev'"],
      ["/opt/ü/roborev", "'/opt/ü/roborev'"],
    ] as const) {
      const text = write({ fixSessionId, cli: { platform: "linux", executable } });
      expect(commandsOf(text).at(-1)).toBe(`${word} agent-hook fix-done ${fixSessionId}`);
      const shell = Bun.spawnSync(["/bin/sh", "-c", `printf %s ${word}`]);
      expect(shell.stdout.toString()).toBe(executable);
    }
  });

  test("on Windows is in double quotes", () => {
    const cli = { platform: "win32", executable: "C:\\Program Files\\roborev.exe" };
    expect(commandsOf(write({ fixSessionId, cli })).at(-1)).toBe(
      `"C:\\Program Files\\roborev.exe" agent-hook fix-done ${fixSessionId}`,
    );
  });

  test("falls back to the bare name for a path that would end the quoting", () => {
    for (const executable of [
      '/opt/"x/roborev',
      "/opt/`id`/roborev",
      "/opt/a\nb/roborev",
      "/opt/\u202e/roborev",
    ]) {
      const text = write({ fixSessionId, cli: { platform: "linux", executable } });
      expect(commandsOf(text).at(-1)).toBe(`roborev agent-hook fix-done ${fixSessionId}`);
    }
  });

  test("100 carries the address that the hook was given, and only then", () => {
    const cli = { platform: "linux", executable: "/x/roborev" };
    expect(commandsOf(write({ fixSessionId, cli: { ...cli, server } })).at(-1)).toBe(
      `/x/roborev agent-hook fix-done --roborev-server '${server}' ${fixSessionId}`,
    );
    expect(write({ fixSessionId, cli })).not.toContain("--roborev-server");
  });

  test("is missing where nothing is owned", () => {
    expect(write()).not.toContain("fix-done");
  });

  test("comes before the guidelines, which are last", () => {
    const text = write({ fixSessionId, fixGuidelines: "Verify first." });
    expect(text).toEndWith(`${fixSessionId}\`.\n\n## Autofix Guidelines\n\nVerify first.`);
  });

  test("is there beside an instruction of the user's own, once", () => {
    const text = write({ fixSessionId, instruction: "Do X.", cli: { platform: "linux", server } });
    expect(text).toStartWith("Do X. 4 open failed");
    expect(occurrences(text, "fix-done")).toBe(1);
  });
});

describe("the instruction's commands", () => {
  test("100 are told the address that the hook was given", () => {
    expect(write({ cli: { platform: "linux", server } })).toContain(
      `Add \`--server '${server}'\` to each of these commands.`,
    );
    expect(write()).not.toContain("--server");
  });

  test("100 an address that would end the quoting is left out", () => {
    expect(write({ cli: { platform: "linux", server: "unix:///x`id`" } })).toBe(write());
  });

  test("where roborev is, is spelled as the path is, on Windows as well", () => {
    const cli = { platform: "win32", executable: "C:\\Program Files\\roborev.exe" };
    expect(write({ cli })).toContain('it is "C:\\Program Files\\roborev.exe".');
  });
});

describe("101 a close-out", () => {
  const closing = { by: "fix_session", ids: [], closing: [13, 14], fixSessionId } as const;

  test("asks to finish, names what is open, newest first, and has the command once; no instruction, no guidelines", () => {
    const text = write({
      ...closing,
      ids: [],
      closing: [13, 14],
      fixGuidelines: "Verify first.",
      instruction: "Do X.",
    });
    expect(text).toContain("roborev review jobs 14, 13 are still open.");
    expect(occurrences(text, "agent-hook fix-done")).toBe(1);
    expect(text).toEndWith(`\`roborev agent-hook fix-done ${fixSessionId}\`.`);
    for (const part of ["Verify first", "Autofix", "Do X", "roborev-fix", "skill", "interrupted"])
      expect(text).not.toContain(part);
  });

  test("of one review speaks of one", () => {
    expect(write({ ...closing, ids: [], closing: [13] })).toContain("roborev review job 13 is still open.");
  });

  test("of a fix session that names none says so without numbers", () => {
    expect(write({ ...closing, ids: [], closing: [] })).toContain(
      "the roborev reviews that you were reminded of are still open.",
    );
  });

  test("with new reviews asks for the old ones first and has the command once, after both", () => {
    const text = write({ ...closing, ids: [16, 15], closing: [14, 13], fixGuidelines: "Verify first." });
    expect(text.indexOf("jobs 14, 13 are still open")).toBeLessThan(text.indexOf("Review job ids: 16, 15."));
    expect(text).toContain('2 open failed roborev reviews on "main". Review job ids: 16, 15.');
    expect(occurrences(text, "agent-hook fix-done")).toBe(1);
    expect(text).toEndWith("## Autofix Guidelines\n\nVerify first.");
  });

  test("D25 names 50 reviews at most, the newest, the new ones before those to finish", () => {
    const many = Array.from({ length: 70 }, (_, n) => n + 1001);
    const named = (text: string) => (text.match(/\b1\d{3}\b/g) ?? []).map(Number);
    const alone = write({ ...closing, ids: [], closing: many });
    expect(named(alone)).toEqual(many.toReversed().slice(0, 50));
    expect(alone).toContain("1021, and 20 more are still open.");
    const fresh = [2003, 2002, 2001];
    const both = write({ ...closing, ids: fresh, closing: many });
    expect(named(both)).toEqual(many.toReversed().slice(0, 47));
    expect(both).toContain("Review job ids: 2003, 2002, 2001.");
    const full = Array.from({ length: 50 }, (_, n) => 2050 - n);
    const crowded = write({ ...closing, ids: full, closing: many });
    expect(named(crowded)).toEqual([]);
    expect(crowded).toContain("70 roborev reviews that you were reminded of are still open.");
    expect(write({ ...closing, ids: full, closing: [1001] })).toContain(
      "1 roborev review that you were reminded of is still open.",
    );
  });
});
