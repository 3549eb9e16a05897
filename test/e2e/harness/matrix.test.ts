import { describe, expect, test } from "bun:test";
import { claude } from "../../../src/harness/claude.ts";
import { gemini } from "../../../src/harness/gemini.ts";
import { grok } from "../../../src/harness/grok.ts";
import type { Facts } from "./facts.ts";
import { measuredRows, missingRows, unreachableRows, updatedPage } from "./matrix.ts";

const reviewer = { afterTool: true, reviews: true, texts: true };
const agent = { afterTool: true, reviews: false, texts: false };
const allHeld: Facts = {
  afterTool: { place: "user: text" },
  turnEnd: { place: "user: text" },
  held: {
    texts: true,
    close: true,
    snooze: true,
    daemon: true,
    uninstall: true,
    review: true,
    readOnly: true,
    fix: true,
  },
};

describe("the page of what was measured", () => {
  test("a row names event, channel and place, in the harness's own words", () => {
    const { delivery, promises } = measuredRows(gemini, "0.61.0", allHeld, reviewer);
    expect(delivery).toEqual([
      [
        "Gemini CLI",
        "0.61.0",
        "AfterTool",
        "`hookSpecificOutput.additionalContext`",
        "once, in `user: text`",
      ],
      ["Gemini CLI", "0.61.0", "AfterAgent", "`decision: block, reason`", "once, in `user: text`"],
    ]);
    expect(promises).toEqual([["Gemini CLI", "0.61.0", ...Array(8).fill("yes")]]);
  });

  test("what was not delivered or not shown is never a yes", () => {
    const nothing = measuredRows(
      claude,
      "2.1.332",
      { afterTool: {}, turnEnd: {}, held: { close: false } },
      reviewer,
    );
    expect(nothing.delivery.map((cells) => cells.at(-1))).toEqual(["**no**", "**no**"]);
    expect(nothing.promises[0]?.slice(2)).toEqual([
      "**not seen**",
      "**no**",
      ...Array(6).fill("**not seen**"),
    ]);
    const late = measuredRows(claude, "2.1.332", { ...allHeld, afterTool: {} }, reviewer);
    expect(late.delivery[0]?.at(-1)).toBe("**no**");
    const atEnd = measuredRows(grok, "1.0.5", { ...allHeld, afterTool: {} }, { ...agent, afterTool: false });
    expect(atEnd.delivery[0]?.at(-1)).toStartWith("no: this version drops it");
    expect(atEnd.promises[0]?.slice(2)).toEqual(["–", "yes", "yes", "yes", "yes", ...Array(3).fill("–")]);
  });

  test("the same facts give the same bytes, whatever was there before and in whatever order they came", () => {
    const rows = [
      measuredRows(grok, "1.0.41", allHeld, agent),
      measuredRows(claude, "2.1.332", allHeld, reviewer),
    ];
    const page = updatedPage("", rows);
    expect(updatedPage(page, rows.toReversed())).toBe(page);
    expect(page.indexOf("Claude Code")).toBeLessThan(page.indexOf("Grok Build"));
  });

  test("a run of one program leaves the rows of the others, and drops those of releases that are no longer pinned", () => {
    const old = [
      measuredRows(grok, "1.0.41", allHeld, agent),
      measuredRows(claude, "1.0.0", allHeld, reviewer),
    ];
    const page = updatedPage(updatedPage("", old), [
      measuredRows(claude, "2.1.332", { ...allHeld, turnEnd: {} }, reviewer),
    ]);
    expect(page).toMatch(/\| Grok Build +\| 1\.0\.41 +\| PostToolUse +\|/);
    expect(page).toMatch(
      /\| Claude Code +\| 2\.1\.332 +\| Stop +\| `decision: block, reason` +\| \*\*no\*\* +\|/,
    );
    expect(page).not.toContain(" 1.0.0 ");
  });

  test("a column that an earlier run did not have is not seen in its rows, and the others stay", () => {
    const page = updatedPage("", [measuredRows(claude, "2.1.332", allHeld, reviewer)]);
    const before = page.replaceAll(/^(\|.*\|)[^|]*\|$/gm, (line, rest) =>
      /yes|fixes|--\|$/.test(line) ? rest : line,
    );
    const fresh = [measuredRows(grok, "1.0.41", allHeld, agent)];
    expect(updatedPage(before, fresh)).toMatch(
      /\| Claude Code +\| 2\.1\.332 (\| yes +){7}\| \*\*not seen\*\* +\|/,
    );
  });

  test("a program that could not be run has a row that says why, in one line", () => {
    const broken = missingRows(claude, "2.1.332", "npm said\n| no |");
    expect(broken.delivery).toEqual([["Claude Code", "2.1.332", "–", "–", "npm said / no /"]]);
    expect(updatedPage("", [unreachableRows("cursor", "needs a login")])).toMatch(
      /\| Cursor +\| – +\| – +\| – +\| cannot be installed here: needs a login; empty unless `cursor_followup = true` \|/,
    );
  });
});
