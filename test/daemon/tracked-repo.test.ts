import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { trackedRepo } from "../../src/daemon/tracked-repo.ts";
import { type Checkout, resolveCheckout } from "../../src/git/checkout.ts";
import { testRepo } from "../support/repo.ts";
import { type Scene, scene } from "./agent-hook/scene.ts";

const found = async (s: Scene, path = s.repo.path) =>
  trackedRepo((await resolveCheckout(path)) as Checkout, s.daemon.parts.services.database);

describe("the tracked repository of a checkout", () => {
  test("is the registered one, in every working tree of it", async () => {
    await using s = await scene();
    s.repo.git("worktree", "add", "-q", "-b", "feature", s.dir.join("tree"));
    const known = { id: s.repoId, rootPath: s.repo.path, identity: `local://${s.repo.path}` };
    expect(await found(s)).toEqual(known);
    expect(await found(s, s.dir.join("tree"))).toEqual(known);
  });

  test("is none for one that was never registered, or not any more", async () => {
    await using s = await scene();
    using other = testRepo();
    expect(await found(s, other.path)).toBeUndefined();
    s.fail(1); // keeps the row
    await s.daemon.post("/api/repos/unregister", { repo_path: s.repo.path });
    expect(await found(s)).toBeUndefined();
  });

  test("is none for another repository that took its place, until that is registered", async () => {
    await using s = await scene();
    s.repo.git("remote", "add", "origin", "https://user:secret@example.invalid/other.git");
    expect(await found(s)).toBeUndefined();
    await s.register();
    expect(await found(s)).toMatchObject({ identity: "https://example.invalid/other.git" });
    writeFileSync(`${s.repo.path}/.roborev-id`, "ours\n");
    expect(await found(s)).toBeUndefined();
  });

  test("is the one at its path where none is known of its identity, as older releases stored it", async () => {
    await using s = await scene({ register: false });
    const { id } = s.daemon.parts.services.store.repos.getOrCreate({
      rootPath: s.repo.path,
      name: "old",
      identity: "",
    });
    expect(await found(s)).toEqual({ id, rootPath: s.repo.path });
  });
});
