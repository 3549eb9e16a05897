import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { JobEventType } from "../../../src/daemon/api/event.ts";
import { testRepo } from "../../support/repo.ts";
import { waitFor } from "../../support/wait.ts";
import { hookScene, writes } from "./hook-scene.ts";

const every: JobEventType[] = [
  "job.enqueued",
  "review.started",
  "review.completed",
  "review.failed",
  "review.canceled",
  "review.closed",
  "review.reopened",
  "review.commented",
  "review.remapped",
];

describe("C12 review hooks", () => {
  test("run for the event that they name, and with the wildcard for all of a review", async () => {
    await using s = await hookScene((out) => writes(out, "review.failed"));
    for (const type of every) s.publish(type);
    const failed = every.indexOf("review.failed") + 1;
    expect(await s.written(String(failed))).toBe("review.failed\n");
    s.configure(writes(s.dir.join("out"), "review.*"));
    const first = every.map((type) => s.publish(type))[0] as number;
    for (const [index, type] of every.entries()) {
      if (index > 0) expect(await s.written(String(first + index))).toBe(`${type}\n`);
    }
    s.daemon.parts.services.events.publish({ type: "config.reloaded", ts: "2026-01-01T00:00:00.000Z" });
    expect(
      s
        .files()
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual([failed, ...every.slice(1).map((_, index) => first + index + 1)]);
    expect(s.errors()).toEqual([]);
  });

  test("get the values by variable, by placeholder and as JSON, and hostile findings stay text", async () => {
    await using s = await hookScene(
      (out) => `[[hooks]]
event = "review.completed"
command = '''
cat > ${out}/json; printf '%s\\n' {findings} > ${out}/placeholder; printf '%s\\n' "$ROBOREV_FINDINGS" > ${out}/variable
pwd > ${out}/cwd'''
`,
    );
    const findings = `'; rm -rf ${s.dir.join("out")}; touch ${s.dir.join("out/canary")}; '$(touch canary)\`touch canary\``;
    s.publish("review.completed", { findings, verdict: "F", branch: "main" });
    expect(await s.written("cwd")).toBe(`${s.repo.path}\n`);
    expect([await s.written("placeholder"), await s.written("variable")]).toEqual([
      `${findings}\n`,
      `${findings}\n`,
    ]);
    expect(JSON.parse(await s.written("json"))).toMatchObject({
      type: "review.completed",
      job_id: 1,
      findings,
      verdict: "F",
    });
    expect([s.files().includes("canary"), existsSync(`${s.repo.path}/canary`)]).toEqual([false, false]);
  });

  test("work in the worktree of the job while it is one of the repository's, else in the main checkout", async () => {
    await using s = await hookScene(
      (out) => `[[hooks]]\nevent = "review.*"\ncommand = "pwd > ${out}/{job_id}"\n`,
    );
    using foreign = testRepo();
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", tree);
    mkdirSync(`${tree}/deep`);
    for (const [worktree_path, expected] of [
      [tree, tree],
      [`${tree}/deep`, s.repo.path],
      [foreign.path, s.repo.path],
      [s.dir.join("gone"), s.repo.path],
    ] as const)
      expect(await s.written(String(s.publish("review.failed", { worktree_path })))).toBe(`${expected}\n`);
    rmSync(tree, { recursive: true });
    expect(await s.written(String(s.publish("review.failed", { worktree_path: tree })))).toBe(
      `${s.repo.path}\n`,
    );
  });

  test("with branches run for those only, named or by glob", async () => {
    await using s = await hookScene((out) =>
      writes(out, "review.*", 'branches = ["main", "release/*", "odd[1]"]\n'),
    );
    const branches = ["main", "release/1", "odd[1]", "maintenance", "release/1/2", undefined];
    const jobs = branches.map((branch) => s.publish("review.failed", branch === undefined ? {} : { branch }));
    for (const job of jobs.slice(0, 3)) await s.written(String(job));
    const last = s.publish("review.failed", { branch: "main" });
    await s.written(String(last));
    expect(
      s
        .files()
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual([...jobs.slice(0, 3), last]);
  });

  test("that fail, hang or cannot be started are reported with the end of what they said, never in the way of others", async () => {
    await using s = await hookScene(
      (
        out,
      ) => `[[hooks]]\nevent = "review.failed"\ncommand = "echo token=s3cret-value-1234567890; echo out of luck >&2; exit 3"
[[hooks]]\nevent = "review.failed"\ncommand = "sleep 600"\ntimeout = 1
${writes(out, "review.failed")}`,
    );
    const job = s.publish("review.failed");
    await s.written(String(job));
    await waitFor("both", () => s.errors().length === 2);
    const [hung, broken] = s.errors();
    const file = s.dir.join("data/config.toml");
    expect(hung).toBe(`review_hooks: hook review.failed: sleep 600 (${file}) did not end within 1 s`);
    expect(broken).toContain("ended with 3: token=[redacted] out of luck");
    rmSync(s.repo.path, { recursive: true });
    s.publish("review.failed");
    const gone = `review_hooks: cannot start a shell in ${s.repo.path}: `;
    await waitFor("the third", () => s.errors().some((line) => line.startsWith(gone)));
  });

  test("run eight at a time, the next as soon as one ends", async () => {
    await using s = await hookScene(
      (out) =>
        `[[hooks]]\nevent = "review.*"\ncommand = "echo > ${out}/{job_id}; until [ -e ${out}/go ]; do sleep 0.02; done; echo > ${out}/end-{job_id}"\n`,
    );
    for (let n = 0; n < 12; n++) s.publish("review.failed");
    await waitFor("eight", () => s.files().length === 8);
    expect(
      s
        .files()
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    writeFileSync(s.dir.join("out/go"), "");
    await waitFor("all", () => s.files().filter((name) => name.startsWith("end-")).length === 12);
  });

  test("beyond 256 that wait are left out and told; a flood neither grows nor blocks anything", async () => {
    await using s = await hookScene(
      (out) => `[[hooks]]\nevent = "review.*"\ncommand = "until [ -e ${out}/go ]; do sleep 0.1; done"\n`,
    );
    for (let n = 0; n < 400; n++) s.publish("review.failed");
    const left = () =>
      s.errors().filter((line) => line.includes("was left out: too many others are waiting"));
    await waitFor("the refusals", () => left().length > 0);
    writeFileSync(s.dir.join("out/go"), "");
  });

  test("a webhook gets the event; one that says no is reported without its address", async () => {
    const seen: unknown[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        seen.push(await request.json());
        return new Response(`unknown: ${request.url}`, { status: seen.length === 1 ? 200 : 404 });
      },
    });
    try {
      const url = `http://127.0.0.1:${server.port}/s3cret?key=t0ken`;
      await using s = await hookScene(
        () => `[[hooks]]\nevent = "review.*"\ntype = "webhook"\nurl = "${url}"\n`,
      );
      s.publish("review.completed", { findings: "all of it", verdict: "P" });
      await waitFor("the first", () => seen.length === 1);
      s.publish("review.failed", { error: "out of luck" });
      await waitFor("the report", () => s.errors().length === 1);
      expect(seen).toMatchObject([{ findings: "all of it" }, { error: "out of luck" }]);
      expect(s.errors()[0]).toStartWith(
        `review_hooks: hook review.*: POST http://127.0.0.1:${server.port}/... (`,
      );
      expect(s.errors()[0]).toContain("answered 404: unknown: ");
      expect(s.errors()[0]).not.toMatch(/s3cret|t0ken/);
    } finally {
      await server.stop(true);
    }
  });

  test("a configuration that is broken for a moment leaves the hooks as they were", async () => {
    await using s = await hookScene((out) => writes(out, "review.failed"));
    await s.written(String(s.publish("review.failed")));
    s.configure("[[hooks");
    await s.written(String(s.publish("review.failed")));
  });

  test("end with the daemon, and none is started any more", async () => {
    const s = await hookScene(
      (out) => `[[hooks]]\nevent = "review.*"\ncommand = "echo $$ > ${out}/{job_id}; exec sleep 600"\n`,
    );
    const pid = Number(await s.written(String(s.publish("review.failed"))));
    await s.daemon.parts.stopWork();
    s.publish("review.failed");
    expect(() => process.kill(pid, 0)).toThrow();
    expect(s.files()).toEqual(["1"]);
    await s[Symbol.asyncDispose]();
  });
});
