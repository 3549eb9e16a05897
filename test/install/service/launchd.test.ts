import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { launchd, plistText } from "../../../src/install/service/launchd.ts";
import { sealed } from "../../../src/skills/seal.ts";
import { tempDir } from "../../support/temp.ts";

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Character data as XML 1.0 reads it. */
function readText(text: string): string {
  expect(text).not.toMatch(/[<>]/);
  return text.replace(/&(\w*);?/g, (whole, name: string) => entities[name] ?? expect.unreachable(whole));
}

const path = fc
  .array(fc.constantFrom(..."ab /'\"\\%$&<>;]![é深-".split("")), { minLength: 1, maxLength: 30 })
  .map((chars) => `/${chars.join("")}`);

/** Every string of a property list, in order. */
const strings = (plist: string) =>
  [...plist.matchAll(/<string>(.*?)<\/string>/g)].map((m) => readText(m[1] ?? ""));

test("a path comes back from a property list as it was, whatever printable characters it has", () => {
  fc.assert(
    fc.property(path, path, path, (binary, dataDir, log) => {
      expect(readText(plistText(binary))).toBe(binary);
      const plist = launchd.text({ binary, dataDir, log });
      const words = [binary, "daemon", "run", "launchd", dataDir, log, log];
      expect(strings(plist)).toEqual(["dev.roborev.daemon", ...words]);
      expect([launchd.serves(plist, dataDir), launchd.serves(plist, `${dataDir}x`)]).toEqual([true, false]);
      expect(launchd.serves(plist, undefined)).toBe(false);
    }),
  );
  expect(launchd.serves(launchd.text({ binary: "/b", log: "/l" }), undefined)).toBe(true);
});

test("a path with control characters is refused, not written", () => {
  expect(() => launchd.text({ binary: "/a\u0001", log: "/l" })).toThrow("control characters");
});

test("it runs at login, and again only after a failure, from the user's own folder", () => {
  expect(launchd.path({ HOME: "/Users/x y" })).toBe(
    "/Users/x y/Library/LaunchAgents/dev.roborev.daemon.plist",
  );
  const plist = launchd.text({ binary: "/b", log: "/l" });
  expect(plist).toContain("<key>RunAtLoad</key><true/>");
  expect(plist).toContain("<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>");
});

test.skipIf(Bun.which("xmllint") === null && Bun.which("plutil") === null)(
  "a parser of the system finds nothing wrong with the property list",
  () => {
    using dir = tempDir();
    const text = sealed(launchd.text({ binary: "/a&b <c>/\"d'", dataDir: "/--]]>", log: "/é" }));
    writeFileSync(dir.join("x.plist"), text);
    const argv = Bun.which("plutil") ? ["plutil", "-lint"] : ["xmllint", "--noout", "--nonet"];
    const run = Bun.spawnSync([...argv, dir.join("x.plist")], { stderr: "pipe", stdout: "pipe" });
    expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
  },
);
