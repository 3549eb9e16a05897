import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { waitFor } from "../../support/wait.ts";
import { hookScene, writes } from "./hook-scene.ts";

describe("C12 hooks of a repository", () => {
  const untrusted = "they are not trusted";

  test("run after those of the user once they are trusted, and not before, which is told once", async () => {
    await using s = await hookScene((out) => writes(out, "review.failed"));
    s.repo.write(
      ".roborev.toml",
      `[[hooks]]\nevent = "review.failed"\ncommand = '''echo {sha} > ${s.dir.join("out")}/repo'''\n`,
    );
    await s.written(String(s.publish("review.failed")));
    await s.written(String(s.publish("review.failed")));
    expect(s.files()).not.toContain("repo");
    expect(s.errors()).toEqual([
      `review_hooks: the hooks in ${s.repo.path}/.roborev.toml do not run: ${untrusted}. Read and allow them with: roborev repo trust`,
    ]);
    expect(await s.trust()).toBe(200);
    s.publish("review.failed");
    expect(await s.written("repo")).toBe(`${"a".repeat(40)}\n`);
  });

  test("any change to them needs trust again; what was trusted once may come back, until it is revoked", async () => {
    await using s = await hookScene((out) => writes(out, "review.failed"));
    const out = s.dir.join("out");
    const file = (name: string) =>
      `[[hooks]]\nevent = "review.failed"\ncommand = "echo > ${out}/${name}-{job_id}"\n`;
    const happens = async (): Promise<string[]> => {
      const job = s.publish("review.failed");
      const own = s.publish("review.failed");
      await s.written(String(job));
      await s.written(String(own));
      await waitFor("all hooks", () => s.files().every((name) => readFileSync(`${out}/${name}`).length > 0));
      // Those of an earlier job may come late.
      return ["a", "b"].filter((name) => [job, own].some((id) => s.files().includes(`${name}-${id}`)));
    };
    const eventually = async (name: string) => waitFor(name, async () => (await happens()).includes(name));
    s.repo.write(".roborev.toml", file("a"));
    await s.trust();
    await eventually("a");
    s.repo.write(".roborev.toml", file("a") + file("b"));
    expect(await happens()).toEqual([]);
    await s.trust();
    await eventually("b");
    s.repo.write(".roborev.toml", `display_name = "Shop"\n# trusted before\n${file("a")}`);
    await eventually("a");
    await s.daemon.post("/api/repos/trust", { repo_path: s.repo.path });
    expect(await happens()).toEqual([]);
  });

  test("are those of the worktree that the job was made in, trusted by themselves", async () => {
    await using s = await hookScene((out) => writes(out, "review.failed"));
    const tree = s.dir.join("tree");
    s.repo.git("worktree", "add", "-q", tree);
    const text = (name: string) =>
      `[[hooks]]\nevent = "review.failed"\ncommand = "pwd > ${s.dir.join("out")}/${name}"\n`;
    s.repo.write(".roborev.toml", text("main"));
    writeFileSync(`${tree}/.roborev.toml`, text("tree"));
    await s.trust();
    await s.written(String(s.publish("review.failed", { worktree_path: tree })));
    expect(s.errors()).toEqual([expect.stringContaining(`${tree}/.roborev.toml do not run: ${untrusted}`)]);
    await s.trust(tree);
    s.publish("review.failed", { worktree_path: tree });
    expect(await s.written("tree")).toBe(`${tree}\n`);
    expect(s.files()).not.toContain("main");
  });

  test("that are no plain file, or not valid, run nothing and hinder nothing", async () => {
    await using s = await hookScene((out) => writes(out, "review.failed"));
    const out = s.dir.join("out");
    writeFileSync(s.dir.join("elsewhere"), `[[hooks]]\nevent = "review.*"\ncommand = "echo > ${out}/evil"\n`);
    for (const make of [
      "mkfifo .roborev.toml",
      "mkdir .roborev.toml",
      `ln -s ${s.dir.join("elsewhere")} .roborev.toml`,
      "echo '[[hooks' > .roborev.toml",
    ]) {
      Bun.spawnSync(["/bin/sh", "-c", `rm -rf .roborev.toml; ${make}`], { cwd: s.repo.path });
      expect((await s.daemon.get(`/api/repos/hooks?path=${s.repo.path}`)).status).toBe(400);
      await s.written(String(s.publish("review.failed")));
    }
    expect(s.files()).not.toContain("evil");
  });
});
