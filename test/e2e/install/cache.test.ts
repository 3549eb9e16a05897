import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { tempDir } from "../../support/temp.ts";
import { releases } from "./releases.ts";

const script = `
import { installAll } from ${JSON.stringify(`${import.meta.dir}/cache.ts`)};
const release = { name: "it", version: "1.0.0", spec: "it@1.0.0", start: { native: "it/bin/*" } };
const found = await installAll([release]);
console.log(JSON.stringify(found.get(release)));
`;

/** Installs `it` with this npm. */
function installWith(npm: string) {
  using dir = tempDir({ "install.ts": script, "bin/npm": `#!/bin/sh\n${npm}\n` });
  Bun.spawnSync(["chmod", "755", dir.join("bin/npm")]);
  const cache = dir.join("cache");
  const run = () => {
    const { stdout, stderr } = Bun.spawnSync([process.execPath, dir.join("install.ts")], {
      env: { PATH: `${dir.join("bin")}:/usr/bin:/bin`, HARNESS_CACHE: cache },
    });
    if (stdout.length === 0) throw new Error(stderr.toString());
    return JSON.parse(stdout.toString()) as { path?: string; problem?: string };
  };
  const first = run();
  const second = run();
  const npmRuns = existsSync(dir.join("npm-runs")) ? readFileSync(dir.join("npm-runs"), "utf8") : "";
  const runs = first.path === undefined ? "" : Bun.spawnSync([first.path]).stdout.toString();
  return {
    first,
    second,
    npmRuns,
    runs,
    left: [...new Bun.Glob("**/*").scanSync({ cwd: dir.path, dot: true })],
  };
}

test("a release is installed once, without its scripts, and starts", () => {
  const npm = `case " $* " in *" --ignore-scripts "*) ;; *) exit 1;; esac
    echo run >> ../../npm-runs
    mkdir -p node_modules/it/bin && printf '#!/bin/sh\\necho it runs\\n' > node_modules/it/bin/it-elf`;
  const { first, second, npmRuns, runs, left } = installWith(npm);
  expect(runs).toBe("it runs\n");
  expect(second).toEqual(first);
  expect(npmRuns).toBe("run\n");
  expect(left.filter((path) => path.includes(".part-"))).toEqual([]);
});

test("a registry that cannot be reached is told with the package's name, and nothing half is kept", () => {
  const npm =
    "echo 'npm error code ECONNREFUSED' >&2; echo 'npm error request to http://registry failed' >&2; exit 1";
  const { first, left } = installWith(npm);
  expect(first).toEqual({ problem: "npm cannot install it@1.0.0: request to http://registry failed" });
  expect(left.filter((path) => path.startsWith("cache/"))).toEqual([]);
});

test("a package that lacks the program is told, not kept", () => {
  const { first, left } = installWith("mkdir -p node_modules/it");
  expect(first).toEqual({ problem: "the package has no it/bin/*" });
  expect(left.filter((path) => path.startsWith("cache/"))).toEqual([]);
});

test("every release is pinned to one exact version", () => {
  for (const { spec, version } of releases) expect(spec).toEndWith(`@${version}`);
  for (const { version } of releases) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
