import { expect, test } from "bun:test";
import { tryParseEndpoint } from "../../src/client/endpoint.ts";

test("D03 an address is the absolute path of a Unix socket: no host, on loopback or not, nobody's name before it", () => {
  expect(tryParseEndpoint(" unix:///run/r.sock ")).toEqual({ socket: "/run/r.sock" });
  for (const address of [
    ...["127.0.0.1:7373", "localhost:7373", "http://127.0.0.1:7373", "http://[::1]:7373", "0.0.0.0:7373"],
    ...["http://evil.example", "http://127.0.0.1@evil.example", "http://localhost:7373@evil.example:80"],
    ...["unix://user@host/r.sock", "unix://relative.sock", "unix:/r.sock", "unix://", "unix:///", "/r.sock"],
    "unix:///a\0b",
  ])
    expect([address, tryParseEndpoint(address)]).toEqual([address, undefined]);
});
