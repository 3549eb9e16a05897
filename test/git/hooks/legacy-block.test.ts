import { describe, expect, test } from "bun:test";
import { cutLegacyBlocks } from "../../../src/git/hooks/legacy-block.ts";
import { planHook } from "../../../src/git/hooks/plan.ts";
import { hookBlock } from "../../../src/git/hooks/script.ts";
import { expectWithin } from "../../support/limit.ts";

const setUp = `ROBOREV="/usr/local/bin/roborev"
if [ ! -x "$ROBOREV" ]; then
    ROBOREV=$(command -v roborev 2>/dev/null)
    [ -z "$ROBOREV" ] || [ ! -x "$ROBOREV" ] && exit 0
fi
`;

const legacy: Record<string, string> = {
  "the first form, in the background": `# roborev post-commit hook - reviews every commit\nroborev enqueue --quiet &\n`,
  "enqueue behind the look-up": `# roborev post-commit hook\n${setUp}"$ROBOREV" enqueue --quiet 2>/dev/null\n`,
  "the if/fi form": `# RoboRev post-commit hook v2\nif command -v roborev >/dev/null 2>&1; then\n    roborev enqueue --quiet &\nfi\n`,
  "the if/else form": `# roborev post-commit hook v2\nif [ -x "$ROBOREV" ]; then\n  "$ROBOREV" enqueue --quiet\nelse\n  roborev enqueue --quiet\nfi\n`,
  "the function form": `# roborev post-commit hook v4 - reviews every commit\n_roborev_hook() {\n${setUp.replace("exit 0", "return 0")}"$ROBOREV" post-commit 2>/dev/null\n}\n_roborev_hook\n`,
  "the function form of the rewrite hook": `# roborev post-rewrite hook v2\n_roborev_remap() {\n${setUp.replace("exit 0", "return 0")}"$ROBOREV" remap --quiet 2>/dev/null\n}\n_roborev_remap\n`,
};

describe("H06 an earlier make's block", () => {
  for (const [name, block] of Object.entries(legacy)) {
    test(`in ${name} is cut, the lines around it stay, and one current block takes its place`, () => {
      const around = ["#!/bin/sh\n# mine: run before roborev\necho before\n", "\nexit 0\n"];
      if (name !== "the if/else form") expect(cutLegacyBlocks(around.join(block))).toBe(around.join(""));
      const plan = planHook(around.join(block), "post-commit", "/opt/roborev", false);
      if (plan.kind !== "write") throw new Error(plan.kind);
      expect(plan).toMatchObject({ upgraded: true });
      expect(plan.text.split("# roborev post-commit hook v")).toHaveLength(2);
      expect(plan.text).toContain("# mine: run before roborev\necho before\n");
      expect(plan.text.endsWith("\nexit 0\n")).toBe(true);
    });
  }

  test("that was the whole file is replaced by the whole file of today", () => {
    const plan = planHook(`#!/bin/sh\n${legacy["enqueue behind the look-up"]}`, "post-commit", "/r", false);
    expect(plan).toMatchObject({ kind: "write", former: null, upgraded: true });
    expect(plan).toMatchObject({ text: `#!/bin/sh\n${hookBlock("post-commit", "/r")}` });
  });
});

test("H07 what only looks like one stays", () => {
  for (const text of [
    "# roborev hook: see the wiki\necho hello\n",
    "# the roborev hook is gone\nexit 0\n",
    "# roborev post-commit hook\n",
    '# roborev hook of mine\nROBOREV="/x"\nmy_tool "$ROBOREV"\n',
    "echo roborev hook\nroborev enqueue --quiet\n",
    "# roborev hook\nif [ -f x ]; then\n  roborev enqueue --quiet\nfi\n",
  ])
    expect(cutLegacyBlocks(text)).toBe(text);
});

test("a hostile hook of a million lines is read in linear time", () => {
  const text = `# roborev hook\nROBOREV="${"x".repeat(100)}"\n`.repeat(50_000);
  const started = performance.now();
  cutLegacyBlocks(text);
  expectWithin(performance.now() - started, 5000);
});
