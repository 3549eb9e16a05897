import { expect, test } from "bun:test";
import { parseSums } from "../../src/update/sums.ts";

const sum = "ab".repeat(32);
const line = (name: string, separator = "  ") => `${sum}${separator}${name}\n`;
const parse = (text: string) => parseSums(text, "linux_amd64");

test("the archive of one platform is found among others, with the version in its name", () => {
  const others =
    line("roborev_1.2.3_linux_amd64_musl.tar.gz") + line("roborev_1.2.3_linux_amd64_baseline.tar.gz");
  const archive = "roborev_1.2.3-rc.1_linux_amd64.tar.gz";
  const found = { version: "1.2.3-rc.1", archive, sha256: sum };
  expect(parse(others + line(archive) + line("SHASUMS.sig"))).toEqual(found);
  expect(parse(line(archive, " *").toUpperCase().replace(/ROB.*/, archive))).toEqual(found);
});

test.each([
  ["nothing", ""],
  ["another platform only", line("roborev_1.2.3_darwin_arm64.tar.gz")],
  ["a name with a path", line("../roborev_1.2.3_linux_amd64.tar.gz")],
  ["a name that is longer", line("roborev_1.2.3_linux_amd64.tar.gz.sig")],
  ["half a version", line("roborev_1.2_linux_amd64.tar.gz")],
  ["a shorter sum", `abc  roborev_1.2.3_linux_amd64.tar.gz\n`],
  ["a page of HTML", "<html><body>404</body></html>"],
])("a list with %s has no release for us", (_, text) => {
  expect(() => parse(text)).toThrow("this release has no archive for linux_amd64");
});

test("a list that names two archives for a platform is not chosen from", () => {
  const two = line("roborev_1.2.3_linux_amd64.tar.gz") + line("roborev_1.2.4_linux_amd64.tar.gz");
  expect(() => parse(two)).toThrow("SHA256SUMS names several archives for linux_amd64");
});
