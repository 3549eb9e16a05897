import { expect, test } from "bun:test";
import { daemonSocketPath } from "../../src/client/socket-path.ts";

const long = `/tmp/${"d".repeat(100)}`;

test("D1 the socket lies in the data directory while its path fits the system", () => {
  expect(daemonSocketPath("/data")).toBe("/data/daemon.sock");
  const longest = `/${"x".repeat(87)}`;
  expect(daemonSocketPath(longest)).toBe(`${longest}/daemon.sock`);
  expect(daemonSocketPath(`${longest}x`)).toStartWith("/tmp/roborev-");
});

test("D1 a path that does not fit is replaced by a short one of this user and this directory", () => {
  const socket = daemonSocketPath(long);
  expect(socket).toMatch(new RegExp(`^/tmp/roborev-${process.getuid?.() ?? 0}-[0-9a-f]+/daemon\\.sock$`));
  expect(daemonSocketPath(`${long}e`)).not.toBe(socket);
  expect(Buffer.byteLength(daemonSocketPath(`/${"é".repeat(49)}`))).toBeLessThanOrEqual(100);
});

test("D1 a slash at the end of the data directory makes no other socket", () => {
  expect(daemonSocketPath("/data//")).toBe(daemonSocketPath("/data"));
  expect(daemonSocketPath(`${long}/`)).toBe(daemonSocketPath(long));
});
