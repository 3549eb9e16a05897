import { describe, expect, test } from "bun:test";
import { outOfReach, releases } from "../install/releases.ts";
import type { Scenario } from "./scenario.ts";
import { select } from "./selection.ts";

const scenario = (name: string, group: Scenario["group"], more: Partial<Scenario> = {}): Scenario => ({
  name,
  group,
  promise: "",
  play: async () => {},
  ...more,
});
const scenarios = [
  scenario("journey", "journey"),
  scenario("follow", "journey", { needs: "readsTexts" }),
  scenario("review-fails", "review"),
  scenario("stop", "deep"),
  scenario("untrusted", "deep", { only: "codex" }),
];

/** One word for each release: its scenarios, and whether they fill its rows of the page. */
const planned = (...words: string[]) =>
  Object.fromEntries(
    select(words, scenarios).plans.map(({ release, scenarios: played, complete }) => [
      `${release.name}@${release.version}`,
      `${played.map(({ name }) => name)}${complete.whole ? " whole" : ""}`,
    ]),
  );

describe("what `test:harness` plays", () => {
  test("without words: every release its journey, the reviewers their reviews, the newest of two programs all", () => {
    const all = planned();
    expect(Object.keys(all)).toEqual(
      releases.filter(({ name }) => name !== "opencode").map(({ name, version }) => `${name}@${version}`),
    );
    expect(all["claude@2.1.332"]).toBe("journey,follow,review-fails,stop whole");
    expect(all["claude@2.0.76"]).toBe("journey whole");
    expect(all["codex@0.171.0"]).toBe("journey,follow,review-fails,stop,untrusted whole");
    expect(all["gemini@0.61.0"]).toBe("journey,follow,review-fails whole");
    expect(all["grok@1.0.41"]).toBe("journey whole");
  });

  test("words name programs, releases, groups and scenarios", () => {
    expect(planned("codex", "journey")).toEqual({
      "codex@0.171.0": "journey,follow",
      "codex@0.124.0": "journey whole",
    });
    expect(planned("gemini", "journey", "review")).toEqual({
      "gemini@0.61.0": "journey,follow,review-fails whole",
    });
    expect(planned("stop")).toEqual({ "claude@2.1.332": "stop", "codex@0.171.0": "stop" });
    expect(planned("claude@2.0.76")).toEqual({ "claude@2.0.76": "journey whole" });
    expect(planned("claude@2.0.76", "stop")).toEqual({ "claude@2.0.76": "stop" });
  });

  test("a word that names nothing is refused, so that a typo never passes", () => {
    expect(() => select(["claud"], scenarios)).toThrow("claud");
    expect(() => select(["codex@9.9.9"], scenarios)).toThrow("codex@9.9.9");
  });

  test("a program that no registry has is named, and has failed only if it was asked for", () => {
    expect(select([], scenarios).unreachable.map(({ name, asked }) => [name, asked])).toEqual(
      Object.keys(outOfReach).map((name) => [name, false]),
    );
    expect(select(["hermes"], scenarios)).toMatchObject({
      plans: [],
      unreachable: [{ name: "hermes", asked: true }],
    });
    expect(select(["claude"], scenarios).unreachable).toEqual([]);
  });
});
