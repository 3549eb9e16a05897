import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookEvents } from "../../../src/config/hooks-schema.ts";
import { parseGlobalConfig } from "../../../src/config/parse.ts";
import { fillTemplate, hookEnvironment, hookVariables } from "../../../src/daemon/review-hooks/values.ts";
import { jobEvent } from "../../support/job-event.ts";
import { tempDir } from "../../support/temp.ts";

const section = readFileSync(join(import.meta.dir, "../../../docs/review-hooks.md"), "utf8");

const event = jobEvent({ repo_name: 'my $(shop) \'n "co"', sha: "abc", verdict: "F" });

test("the page names every event, placeholder and variable", () => {
  for (const name of [...hookEvents, ...Object.keys(hookVariables(event))]) {
    expect(section).toContain(`\`${name}\``);
    if (name.startsWith("ROBOREV_")) expect(section).toContain(`\`{${name.slice(8).toLowerCase()}}\``);
  }
});

test("C12 the page's recipes are sound, say what they promise with any name, and nothing about a review that passed", () => {
  using dir = tempDir();
  const said = `#!/bin/sh\nfor word; do printf '[%s]' "$word"; done\n`;
  for (const name of ["notify-send", "osascript", "bd"]) writeFileSync(dir.join(name), said, { mode: 0o755 });
  const blocks = [...section.matchAll(/```toml\n([\s\S]*?)```/g)].map((match) => match[1] as string);
  const beads = /`(command = 'bd [^`]*)`/.exec(section)?.[1] as string;
  const hooks = [...blocks, `[[hooks]]\nevent = "review.failed"\n${beads}\n`].flatMap((text) => {
    const { config, warnings } = parseGlobalConfig(text, "review-hooks.md");
    expect(warnings).toEqual([]);
    return config.hooks ?? [];
  });
  const run = (verdict: "P" | "F") =>
    hooks
      .filter(({ command }) => command !== undefined)
      .map(({ command }) => {
        const env = hookEnvironment(
          { PATH: `${dir.path}:${process.env.PATH}` },
          { ...event, verdict, error: "why" },
          { dataDir: "/", cwd: "/shop" },
        );
        const { exitCode, stdout } = Bun.spawnSync(["/bin/sh", "-c", fillTemplate(command as string, 7)], {
          env,
        });
        return exitCode === 0 ? stdout.toString() : exitCode;
      });
  const name = `[${event.repo_name}]`;
  expect(run("F")).toEqual([
    "[Review failed][why]",
    `[--]${name}[Review 7 found something]`,
    `[-e][on run a][-e][display notification (item 2 of a) with title (item 1 of a)][-e][end run]${name}[Review 7 found something]`,
    "[create][Review of abc failed][-p][2]",
  ]);
  expect(run("P").slice(1, 3)).toEqual(["", ""]);
});
