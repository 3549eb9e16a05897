import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { redactedCommandLine, redactedCommandText, redactSecrets } from "../../src/lib/redact.ts";
import { expectWithin } from "../support/limit.ts";
import { secrets } from "../support/secrets.ts";

describe("T14 a secret in a line that is kept", () => {
  for (const [format, secret] of Object.entries(secrets)) {
    test(`of the format ${format} is masked wherever it stands`, () => {
      for (const frame of [
        "#",
        "Error: #",
        'x "#" y',
        "key=#,",
        "(#)",
        "https://e.example/?a=#&b=1",
        "\n#\n",
        "…#…",
      ]) {
        const result = redactSecrets(frame.replace("#", () => secret));
        expect(result).not.toContain(secret);
        expect(result).not.toContain(secret.slice(-20));
      }
    });
  }

  test("is masked by its name, where it has no form of its own", () => {
    for (const [text, shown] of [
      ["password=hunter2", "password=[redacted]"],
      ['{"api_key": "x y", "model": "m"}', '{"api_key": [redacted], "model": "m"}'],
      ["DB_PASSWORD: 'a b'; next", "DB_PASSWORD: [redacted]; next"],
      ["Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [redacted]"],
      ["fetch https://ada:pass@host/x.git failed", "fetch https://[redacted]@host/x.git failed"],
      ["clone https://f00ba4@host/x.git", "clone https://[redacted]@host/x.git"],
      ["AccountKey=abc==;Endpoint=x", "AccountKey=[redacted];Endpoint=x"],
    ] as const)
      expect(redactSecrets(text)).toBe(shown);
  });

  test("leaves ordinary lines as they are", () => {
    for (const text of [
      "git diff-tree in /home/ada/project: fatal: bad object 0123456789abcdef0123456789abcdef01234567",
      "claude-code did not finish within 10 min",
      "no-verdict: the review passes 40 changed lines without naming a file or symbol of them",
      "/home/ada/.roborev/config.toml:3:1: `max_workers` must be a whole number",
      "job 12 is running; see https://example.com/a/b?page=2",
      "expected a token, got a string",
      "the daemon's socket is /tmp/roborev-1000-1a2b3c/daemon.sock",
    ])
      expect(redactSecrets(text)).toBe(text);
  });

  test("is found in linear time", () => {
    for (const unit of [
      "a",
      "sk-",
      "eyJ",
      "x:",
      "password",
      "-----BEGIN PRIVATE KEY-----",
      "://",
      "1",
      '"',
      " ",
      "_-",
    ]) {
      const text = unit.repeat(200_000 / unit.length);
      const start = performance.now();
      redactSecrets(text);
      expectWithin(performance.now() - start, 2_000);
    }
  });

  test("never makes a line fail", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => expect(typeof redactSecrets(text)).toBe("string")),
    );
  });
});

test("a command line shows no value of a flag that takes a secret", () => {
  expect(redactedCommandLine(["claude", "--api-key", "abc", "-p", "--token=t0k3n", "--model", "m"])).toBe(
    "claude --api-key [redacted] -p --token=[redacted] --model m",
  );
  expect(redactedCommandLine(["x", "--auth", "--verbose", secrets.github ?? ""])).toBe(
    "x --auth --verbose [redacted]",
  );
});

test("nor does one that is written in one piece", () => {
  for (const [text, shown] of [
    [
      "claude --api-key abc -p --token=t0k3n --model m",
      "claude --api-key [redacted] -p --token=[redacted] --model m",
    ],
    [`x --auth-token "a b" 'c d'`, "x --auth-token [redacted] 'c d'"],
    ["x --auth --verbose --secret  's t'", "x --auth --verbose --secret  [redacted]"],
    ["env API_KEY=abc claude", "env API_KEY=[redacted] claude"],
    ["/opt/key tool --monkey-business yes", "/opt/key tool --monkey-business [redacted]"],
    ["codex --profile work", "codex --profile work"],
  ] as const)
    expect(redactedCommandText(text)).toBe(shown);
});
