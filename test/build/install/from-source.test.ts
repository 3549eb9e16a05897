import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../arch/source.ts";
import { type TempDir, tempDir } from "../../support/temp.ts";
import { fake, install, leftovers, read, script, shells } from "./scene.ts";

/** A checkout whose build takes no time; `bun` and `npx` note how they were called. */
function checkout(bunVersion?: string): TempDir {
  const dir = tempDir({
    "src/package.json": '{\n  "name": "roborev",\n  "packageManager": "bun@1.4.5"\n}\n',
    "src/build.ts": "",
    "old-bin/roborev": "old",
  });
  copyFileSync(script, dir.join("src/install.sh"));
  mkdirSync(dir.join("fake"));
  mkdirSync(dir.join("home"));
  const build =
    'mkdir -p dist; printf "#!/bin/sh\\necho roborev v1.2.3-dev\\n" >dist/roborev; chmod 755 dist/roborev';
  const note = `echo "$(basename "$0") $*" >>"${dir.path}/calls"`;
  if (bunVersion !== undefined)
    fake(dir, "bun", `[ "$1" = --version ] && { echo ${bunVersion}; exit; }\n${note}\n${build}`);
  fake(dir, "npx", `${note}\n${build}`);
  return dir;
}

/** Only the programs that are named, so that a Bun of this machine is not found. */
function pathWith(dir: TempDir, without: string[] = []): string {
  const tools = dir.join("tools");
  mkdirSync(tools, { recursive: true });
  for (const name of "sh dirname basename sed mktemp mkdir cp chmod mv rm uname printf cat".split(" ")) {
    const path = Bun.which(name);
    if (path === null) continue;
    writeFileSync(join(tools, name), `#!/bin/sh\nexec ${path} "$@"\n`);
    chmodSync(join(tools, name), 0o755);
  }
  for (const name of without) if (existsSync(dir.join("fake", name))) chmodSync(dir.join("fake", name), 0);
  return without.length > 0 ? tools : `${dir.join("fake")}:${tools}`;
}

const run = (dir: TempDir, shell: string[], options: { path?: string; args?: string[] } = {}) =>
  install(
    [Bun.which(shell[0] as string) as string, ...shell.slice(1)],
    ["--from-source", ...(options.args ?? [])],
    {
      home: dir.join("home"),
      script: dir.join("src/install.sh"),
      env: { PATH: options.path ?? pathWith(dir) },
    },
  );

test.each(shells)(
  "under %s --from-source builds the checkout with the Bun it asks for, and installs that",
  async (_, shell) => {
    using dir = checkout("1.4.5");
    const { exitCode, stdout, stderr } = await run(dir, shell);
    const target = dir.join("home/.local/bin/roborev");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toStartWith(`installed roborev v1.2.3-dev to ${target}\n`);
    expect(read(dir.join("calls"))).toBe("bun run build\n");
    expect(leftovers(dir.join("home"))).toEqual([".local", ".local/bin", ".local/bin/roborev"]);
  },
);

test.each([
  ["another Bun", "1.4.4"],
  ["no Bun", undefined],
])("with %s the right one comes from npm", async (_, version) => {
  using dir = checkout(version);
  expect((await run(dir, ["sh"])).exitCode).toBe(0);
  expect(read(dir.join("calls"))).toBe("npx -y bun@1.4.5 run build\n");
});

test("with neither Bun nor npx it says what is needed", async () => {
  using dir = checkout();
  const { exitCode, stderr } = await run(dir, ["sh"], { path: pathWith(dir, ["npx"]) });
  expect([exitCode, stderr]).toEqual([
    1,
    "install.sh: Bun 1.4.5, or npx to get it, is needed to build roborev\n",
  ]);
});

test("a build that fails replaces nothing, a dry run builds nothing", async () => {
  using dir = checkout("1.4.5");
  const args = ["--dir", dir.join("old-bin")];
  const dry = await run(dir, ["sh"], { args: [...args, "--dry-run"] });
  expect(dry.stdout).toBe(
    `would build ${dir.join("src")} with bun and install it to ${dir.join("old-bin/roborev")}\n`,
  );
  expect(existsSync(dir.join("calls"))).toBe(false);
  fake(dir, "bun", '[ "$1" = --version ] && { echo 1.4.5; exit; }\nexit 1');
  const { exitCode, stderr } = await run(dir, ["sh"], { args });
  expect([exitCode, stderr]).toEqual([1, "install.sh: the build failed; nothing was installed\n"]);
  expect(leftovers(dir.join("old-bin"))).toEqual(["roborev"]);
  expect(read(dir.join("old-bin/roborev"))).toBe("old");
});

test("without a checkout around it, it says where it works", async () => {
  using dir = tempDir({ "alone/home/x": "" });
  copyFileSync(script, dir.join("alone/install.sh"));
  const { exitCode, stderr } = await install(["sh"], ["--from-source"], {
    home: dir.join("alone/home"),
    script: dir.join("alone/install.sh"),
  });
  expect([exitCode, stderr]).toEqual([
    1,
    "install.sh: --from-source works in a checkout of roborev: run ./install.sh there\n",
  ]);
});

test("the version of Bun is where the script looks for it", () => {
  expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager).toMatch(/^bun@[\d.]+$/);
});
