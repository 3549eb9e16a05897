import { expect, test } from "bun:test";
import { releaseSource } from "../../src/update/source.ts";

const release = { version: "1.2.3", archive: "a.tar.gz", sha256: "" };

test("an archive is asked for by its version, so that a newer release in between changes nothing", () => {
  const source = releaseSource({ ROBOREV_RELEASES: "someone/tool" });
  expect(source.sumsUrl).toBe("https://github.com/someone/tool/releases/latest/download/SHA256SUMS");
  expect(source.archiveUrl(release)).toBe(
    "https://github.com/someone/tool/releases/download/v1.2.3/a.tar.gz",
  );
});

test("without a mirror and without public releases nothing is asked of anybody", () => {
  expect(() => releaseSource({})).toThrow("there is no public release");
  for (const name of ["/src/shop", "a", "a/..", "a/b/c", "a b/c", "-a/b"])
    expect(() => releaseSource({ ROBOREV_RELEASES: name })).toThrow("owner/name");
});

test("a mirror is one directory, by https or on this machine", () => {
  for (const url of [
    "https://example.com/r/",
    "http://127.0.0.1:80/r",
    "http://[::1]/r",
    " http://localhost/r ",
  ]) {
    const { sumsUrl, archiveUrl } = releaseSource({ ROBOREV_UPDATE_URL: url });
    const base = url.trim().replace(/\/$/, "");
    expect([sumsUrl, archiveUrl(release)]).toEqual([`${base}/SHA256SUMS`, `${base}/a.tar.gz`]);
  }
});

test.each([
  "http://example.com",
  "http://127.0.0.1.example.com",
  "file:///tmp",
  "example.com",
  "https://a/?b",
])("%s is no address to take programs from", (url) => {
  expect(() => releaseSource({ ROBOREV_UPDATE_URL: url })).toThrow("must be an https address");
});
