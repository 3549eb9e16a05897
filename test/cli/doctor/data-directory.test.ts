import { describe, expect, test } from "bun:test";
import { judgeDataDirectory, type Node, sizeText } from "../../../src/cli/doctor/data-directory.ts";
import { found } from "./found.ts";

describe("the data directory", () => {
  const node = (more: Partial<Node> = {}): Node => ({
    path: "/d",
    type: "directory",
    mode: 0o700,
    mine: true,
    ...more,
  });

  test("is fine when it is private, and when it is not there yet", () => {
    expect(found(judgeDataDirectory({ directory: node(), entries: [], freeBytes: 5e9 }))).toEqual([]);
    expect(
      found(judgeDataDirectory({ directory: node({ type: "missing", mode: 0, mine: false }), entries: [] })),
    ).toEqual([]);
  });

  test("that others can enter is an error, a file in it a warning, and both can be mended", () => {
    const check = judgeDataDirectory({
      directory: node({ mode: 0o755 }),
      entries: [
        node({ path: "/d/re views.db", type: "file", mode: 0o644 }),
        node({ path: "/d/agent-hook", mode: 0o750 }),
      ],
    });
    expect(found(check)).toEqual([
      "error open-directory: chmod 700 /d",
      "warning open-file: chmod 600 '/d/re views.db'",
      "warning open-file: chmod 700 /d/agent-hook",
    ]);
    expect(check.findings[1]?.mend).toEqual({ do: "chmod", path: "/d/re views.db", mode: 0o600 });
  });

  test("of somebody else, or that is a file, is an error that --fix leaves alone", () => {
    for (const directory of [node({ mine: false, mode: 0o777 }), node({ type: "other" })]) {
      const { findings } = judgeDataDirectory({ directory, entries: [] });
      expect(findings).toMatchObject([{ severity: "error" }]);
      expect(findings[0]?.mend).toBeUndefined();
    }
    const foreign = {
      directory: node(),
      entries: [node({ path: "/d/x", type: "file", mode: 0o644, mine: false })],
    };
    expect(found(judgeDataDirectory(foreign))).toEqual(['error foreign-file: sudo chown "$USER" /d/x']);
  });

  test.each([
    [100, "error disk"],
    [50 * 1024 ** 2, "warning disk"],
  ])("with %d bytes left on its disk: %s", (freeBytes, expected) => {
    expect(found(judgeDataDirectory({ directory: node(), entries: [], freeBytes }))[0]).toStartWith(expected);
  });

  test("sizes are told in units that one can read", () => {
    expect([0, 1023, 1536, 152 * 1024, 7.25 * 1024 ** 3].map(sizeText)).toEqual([
      "0 bytes",
      "1023 bytes",
      "1.5 KiB",
      "152 KiB",
      "7.3 GiB",
    ]);
  });
});
