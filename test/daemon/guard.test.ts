import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isTooDeep } from "../../src/daemon/guard.ts";
import { testDaemon } from "../support/daemon.ts";
import { tempDir } from "../support/temp.ts";

const json = { "content-type": "application/json" };
const ping = ["GET", "/api/ping"] as const;
const close = ["POST", "/api/review/close"] as const;

describe("D10 request guard", () => {
  const refused: [string, readonly [string, string], Record<string, string>, string | undefined, number][] = [
    ...[
      "evil.example",
      "localhost.",
      "localhost:80",
      "127.0.0.1",
      "[::1]",
      "0.0.0.0",
      "user@localhost",
      "localhost.evil.example",
      "",
    ].map((host): [string, readonly [string, string], Record<string, string>, undefined, number] => [
      `Host ${JSON.stringify(host)}`,
      ping,
      { host },
      undefined,
      421,
    ]),
    ["a foreign Origin", ping, { origin: "https://evil.example" }, undefined, 403],
    ["Origin null", ping, { origin: "null" }, undefined, 403],
    ["even our own Origin: no page is served", ping, { origin: "http://localhost" }, undefined, 403],
    ["Sec-Fetch-Site cross-site", ping, { "sec-fetch-site": "cross-site" }, undefined, 403],
    ["Sec-Fetch-Site same-origin", ping, { "sec-fetch-site": "same-origin" }, undefined, 403],
    ...["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"].map(
      (name): [string, readonly [string, string], Record<string, string>, undefined, number] => [
        `a ${name} header`,
        ping,
        { [name]: "1" },
        undefined,
        403,
      ],
    ),
    ["a form", close, { "content-type": "application/x-www-form-urlencoded" }, "job_id=1&closed=true", 415],
    ["text/plain", close, { "content-type": "text/plain" }, '{"job_id":1,"closed":true}', 415],
    [
      "JSON with parameters",
      close,
      { "content-type": "application/json; charset=utf-8" },
      '{"job_id":1,"closed":true}',
      415,
    ],
    ["multipart", close, { "content-type": "multipart/form-data; boundary=x" }, "--x--", 415],
    ["no content type", close, { "content-type": "" }, "{}", 415],
    ["a preflight", ["OPTIONS", "/api/review/close"], { origin: "https://evil.example" }, undefined, 403],
    ["a method nobody needs", ["DELETE", "/api/jobs"], {}, undefined, 405],
    ["no JSON", close, json, "{", 400],
    ["invalid UTF-8 is no JSON", close, json, '{"a":"\ud800', 400],
    ["an empty body", close, json, "", 400],
    ["an unknown route", ["GET", "/api/nope"], {}, undefined, 404],
    ["a missing field", close, json, '{"closed":true}', 400],
    ["a wrong type", close, json, '{"job_id":"1","closed":true}', 400],
    ["a wrong range", close, json, '{"job_id":0,"closed":true}', 400],
    ["an array", close, json, "[]", 400],
    ["nesting without end", close, json, `${"[".repeat(1000)}${"]".repeat(1000)}`, 400],
    [
      "a body over the limit",
      close,
      json,
      `{"job_id":1,"closed":true,"x":"${"y".repeat(1024 * 1024)}"}`,
      413,
    ],
    ["a bad query", ["GET", "/api/jobs?limit=-1"], {}, undefined, 400],
  ];
  test.each(refused)("refuses %s", async (_, [method, path], headers, body, status) => {
    using dir = tempDir();
    await using daemon = await testDaemon(dir.path);
    const response = await daemon.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const error = (await response.json()) as { error: string; code: string };
    expect(Object.keys(error).sort()).toEqual(["code", "error"]);
    expect(error.code).toMatch(/^E_[A-Z_]+$/);
  });

  test("a wrong type or a missing field is named, with what was expected there", async () => {
    using dir = tempDir();
    await using daemon = await testDaemon(dir.path);
    for (const [path, body, message] of [
      ["/api/review/close", { job_id: "1", closed: true }, "job_id"],
      ["/api/review/close", { job_id: 1 }, "closed"],
      ["/api/comment", { job_id: 1, commenter: 7, comment: "x" }, "commenter"],
      ["/api/enqueue", { repo_path: "/r", git_ref: ["x"] }, "git_ref"],
    ] as const) {
      const answer = (await daemon.post(path, body)) as { status: number; body: { error: string } };
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  test("unknown fields are ignored; a good request passes", async () => {
    using dir = tempDir();
    await using daemon = await testDaemon(dir.path);
    expect(await daemon.post("/api/agent-hook/reset", { all: true, future: { a: 1 } })).toEqual({
      status: 200,
      body: { ok: true } as never,
    });
    expect((await daemon.get("/api/ping")).body).toMatchObject({ service: "roborev", api_version: 1 });
  });

  test("T14 neither what was sent nor an internal error comes back", async () => {
    using dir = tempDir();
    await using daemon = await testDaemon(dir.path);
    const secret = "sk-ant-secret-value";
    for (const [path, body] of [
      ["/api/review/close", { job_id: secret, closed: secret }],
      ["/api/comment", { job_id: 1, commenter: 7, comment: secret }],
      ["/api/enqueue", { repo_path: "", git_ref: secret.repeat(100) }],
      ["/api/agent-hook/event", { agent: "claude", event: { session_id: 1, command: secret } }],
    ] as const) {
      const response = await daemon.request("POST", path, { body: JSON.stringify(body) });
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain(secret);
    }
    daemon.parts.services.store.close();
    const broken = await daemon.request("GET", "/api/status");
    expect(broken.status).toBe(500);
    expect(await broken.json()).toEqual({
      error: "internal error, see the daemon's log",
      code: "E_INTERNAL",
    });
    await daemon.parts.stopWork();
  });

  test("only the diff of a dirty review may be large", async () => {
    using dir = tempDir();
    await using daemon = await testDaemon(dir.path);
    const body = JSON.stringify({
      repo_path: dir.path,
      git_ref: "dirty",
      diff_content: "x".repeat(2 * 1024 * 1024),
    });
    const response = await daemon.request("POST", "/api/enqueue", { body });
    expect(await response.json()).toMatchObject({ code: "E_NOT_A_REPO" });
  });
});

describe("depth scan", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test("counts brackets outside strings only", () => {
    expect(isTooDeep(bytes(`["${"[".repeat(100)}\\"${"{".repeat(100)}"]`))).toBe(false);
    expect(isTooDeep(bytes("[".repeat(64)))).toBe(false);
    expect(isTooDeep(bytes("[".repeat(65)))).toBe(true);
    expect(isTooDeep(bytes('{"a":'.repeat(65)))).toBe(true);
  });

  test("agrees with the depth of any JSON value", () => {
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 80 }), (value) => {
        expect(isTooDeep(bytes(JSON.stringify(value)))).toBe(depth(value) > 64);
      }),
    );
  });
});
