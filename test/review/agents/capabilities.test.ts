import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseFlags, readCapabilities } from "../../../src/review/agents/capabilities.ts";
import type { Reviewer } from "../../../src/review/agents/reviewer.ts";
import { plainStream } from "../../../src/review/agents/stream/plain.ts";
import { tempDir } from "../../support/temp.ts";
import { fixture } from "./fixture.ts";

const reviewer: Reviewer = {
  name: "fake",
  aliases: [],
  command: "fake",
  help: ["--help"],
  requiredFlags: ["--json"],
  userFiles: (env) => [`${env.HOME}/a`, `${env.HOME}/missing/b`],
  argv: () => [],
  environment: (env) => env,
  createParser: plainStream,
};

function program(script: string) {
  const dir = tempDir({ fake: `#!/bin/sh\necho called >> "$0.calls"\n${script}\n`, a: "content" });
  chmodSync(dir.join("fake"), 0o755);
  const env = { HOME: dir.path, PATH: "/usr/bin:/bin" };
  const calls = () =>
    existsSync(dir.join("fake.calls")) ? readFileSync(dir.join("fake.calls"), "utf8").length / 7 : 0;
  return { dir, read: () => readCapabilities(reviewer, [dir.join("fake")], env), calls };
}

test("A11 the options of the real programs are read from their help", () => {
  const claude = parseFlags(fixture("claude-help.txt"));
  for (const flag of ["--tools", "--effort", "--safe-mode", "--setting-sources", "--allowed-tools"])
    expect([flag, claude.has(flag)]).toEqual([flag, true]);
  const codex = parseFlags(fixture("codex-help.txt"));
  for (const flag of ["--sandbox", "--json", "--ignore-rules", "--config"])
    expect([flag, codex.has(flag)]).toEqual([flag, true]);
});

test("A11 an option that a description merely mentions is not there", () => {
  const help =
    "Options:\n  -x, --one <a>   Like --two\n                  --three is for later\n      --four\n          see --five\n";
  expect([...parseFlags(help)]).toEqual(["--one", "--four"]);
});

test("A11 the help is asked for once, also by many at a time, until the program changes", async () => {
  const fake = program('echo "  --json  x"');
  using dir = fake.dir;
  await Promise.all([fake.read(), fake.read(), fake.read()]);
  const { flags, files } = await fake.read();
  expect([...flags]).toEqual(["--json"]);
  expect([...files]).toEqual([[dir.join("a"), "content"]]);
  expect(fake.calls()).toBe(1);
  writeFileSync(
    dir.join("fake"),
    '#!/bin/sh\necho called >> "$0.calls"\necho "  --json  --more"; echo "  --new"\n',
  );
  expect((await fake.read()).flags.has("--new")).toBe(true);
  expect(fake.calls()).toBe(2);
});

test("A11 a help on standard error counts too", async () => {
  const fake = program('echo "  --json  x" >&2');
  using _ = fake.dir;
  expect([...(await fake.read()).flags]).toEqual(["--json"]);
});

test("A11 what a fix needs is asked for before a fix only, and helpers are looked for", async () => {
  using dir = tempDir({ fake: '#!/bin/sh\necho "  --json  x"\n', helper: "#!/bin/sh\n" });
  for (const name of ["fake", "helper"]) chmodSync(dir.join(name), 0o755);
  const fixer: Reviewer = { ...reviewer, fixFlags: ["--all"], helpers: ["helper", "no-such-helper"] };
  const env = { HOME: dir.path, PATH: `${dir.path}:/usr/bin:/bin` };
  const read = (agentic: boolean) => readCapabilities(fixer, [dir.join("fake")], env, agentic);
  expect([...(await read(false)).helpers]).toEqual(["helper"]);
  await expect(read(true)).rejects.toThrow("too old for fixes: it has no --all");
});

test("A11 a program without a required option is too old, and the option is named", async () => {
  const fake = program('echo "  --other"');
  using _ = fake.dir;
  await expect(fake.read()).rejects.toMatchObject({
    code: "E_AGENT_TOO_OLD",
    message: expect.stringContaining("--json"),
  });
});

test("a program that cannot be asked is an error that is not remembered", async () => {
  const fake = program("echo no licence >&2; exit 3");
  using _ = fake.dir;
  for (const calls of [1, 2]) {
    await expect(fake.read()).rejects.toMatchObject({
      code: "E_AGENT_HELP",
      message: expect.stringContaining("no licence"),
    });
    expect(fake.calls()).toBe(calls);
  }
});
