import { expect, test } from "bun:test";
import { maskedValue } from "../../src/config/masked.ts";
import { leaked, secrets } from "../support/secrets.ts";

test("a key that holds a secret shows its last four characters, a short one none", () => {
  expect(maskedValue("anthropic_api_key", `sk-${"x".repeat(30)}last`)).toBe("****last");
  expect(maskedValue("anthropic_api_key", "hunter2-hunter2")).toBe("****");
  expect(maskedValue("anthropic_api_key", "")).toBe("");
});

test("a reference to a variable is shown, what stands beside one is not", () => {
  expect(maskedValue("anthropic_api_key", `\${ANTHROPIC_API_KEY}`)).toBe(`\${ANTHROPIC_API_KEY}`);
  expect(maskedValue("anthropic_api_key", `hunter2\${X}`)).toBe("****");
});

test("elsewhere whatever looks like a secret is masked, in texts, lists and command lines", () => {
  for (const secret of Object.values(secrets)) {
    for (const key of ["anthropic_api_key", "review_guidelines", "claude_code_cmd", "default_model"]) {
      expect(leaked(String(maskedValue(key, secret)))).toEqual([]);
    }
    expect(leaked(JSON.stringify(maskedValue("exclude_patterns", ["a", secret])))).toEqual([]);
  }
  expect(maskedValue("default_model", "m@https://ada:pw@host/v1")).toBe("m@https://[redacted]@host/v1");
  expect(maskedValue("server_addr", "https://t0k3n@host")).toBe("https://[redacted]@host");
  expect(maskedValue("codex_cmd", "codex --api-key abc")).toBe("codex --api-key [redacted]");
});

test("ordinary values stay as they are", () => {
  for (const value of [4, false, "medium", "codex --profile work", ["vendor", "*.lock"], "one\ntwo"])
    expect(maskedValue("review_guidelines", value)).toEqual(value);
});
