import { expect, test } from "bun:test";
import type { Filter } from "../../src/tui/model.ts";
import { job, nowMs, place, play, status } from "./scene.ts";

const snooze = {
  repo_name: "shop",
  repo_path: place.repo,
  worktree_path: place.worktree,
  branch: place.branch,
  snoozed_until: new Date(nowMs + 3_600_000).toISOString(),
};
const repo: Filter = { kind: "repo", path: place.repo, name: "shop" };
const branch: Filter = { kind: "branch", name: place.branch };

function title(filters: Filter[], more: { snooze?: object; place?: object; columns?: number } = {}): string {
  const played = play({
    filters,
    place: { ...place, ...more.place },
    size: { columns: more.columns ?? 100, rows: 24 },
  });
  const daemon = status({ active_snoozes: [{ ...snooze, ...more.snooze }] });
  return played.send({ kind: "status", status: daemon }).lines()[0] ?? "";
}

const badge = /\[SNOOZED until [A-Z][a-z]{2} \d\d \d\d:\d\d\]/;

test("64 the badge is shown while exactly the snoozed repository and branch are listed, and says until when", () => {
  expect(title([repo, branch])).toMatch(badge);
  expect(title([branch, repo, { kind: "closed" }])).toMatch(badge);
});

test.each<[string, Filter[], Parameters<typeof title>[1]]>([
  ["no filter", [], {}],
  ["the repository alone", [repo], {}],
  ["the branch alone", [branch], {}],
  ["another repository", [{ ...repo, path: "/src/other" }, branch], {}],
  ["two repositories", [repo, { ...repo, path: "/src/other" }, branch], {}],
  ["another branch", [repo, { kind: "branch", name: "next" }], {}],
  ["jobs without a branch", [repo, { kind: "branch", name: "" }], {}],
  ["a sibling working tree", [repo, branch], { snooze: { worktree_path: "/src/shop-2" } }],
  ["a snooze of another branch", [repo, branch], { snooze: { branch: "next" } }],
  ["a snooze of another repository", [repo, branch], { snooze: { repo_path: "/src/other" } }],
  ["an expired snooze", [repo, branch], { snooze: { snoozed_until: new Date(nowMs).toISOString() } }],
  [
    "a detached HEAD",
    [repo, { kind: "branch", name: "" }],
    { place: { branch: "" }, snooze: { branch: "" } },
  ],
])("64 the badge is not shown for %s", (_, filters, more) => {
  expect(title(filters, more)).not.toContain("SNOOZED");
});

test("64 the badge goes at the deadline, without any word from the daemon", () => {
  const played = play({ filters: [repo, branch] }).send({
    kind: "status",
    status: status({ active_snoozes: [snooze] }),
  });
  const at = (ms: number) => played.send({ kind: "tick", nowMs: ms }).lines()[0];
  expect(at(nowMs + 3_599_999)).toMatch(badge);
  expect(at(nowMs + 3_600_000)).not.toContain("SNOOZED");
});

test("64 the badge stays where there is room for nothing but the list", () => {
  const filters = [repo, branch];
  const played = play({ filters, size: { columns: 100, rows: 8 } }).send(
    { kind: "status", status: status({ active_snoozes: [snooze] }) },
    { kind: "job", id: 1, job: job(1) },
  );
  expect(played.lines()).toHaveLength(8);
  expect(played.lines()[0]).toMatch(badge);
});
