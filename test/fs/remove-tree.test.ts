import { expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tempDir } from "../support/temp.ts";

const other = 65_534;
const isRoot = process.getuid?.() === 0;
const asOther = ["setpriv", `--reuid=${other}`, `--regid=${other}`, "--clear-groups"];
/** Root may remove whatever it likes, so that it is somebody else who tries; who must be able to run this Bun. */
const canTry =
  !isRoot ||
  (Bun.which("setpriv") !== null &&
    Bun.spawnSync([...asOther, process.execPath, "--version"], { cwd: "/" }).exitCode === 0);

test.skipIf(!canTry)(
  "directories that nobody may write to are removed, and what links lead to is not touched",
  () => {
    using dir = tempDir();
    const tree = dir.join("place/tree");
    mkdirSync(`${tree}/mod/deep`, { recursive: true });
    mkdirSync(dir.join("kept"));
    writeFileSync(dir.join("kept/file"), "");
    writeFileSync(`${tree}/mod/deep/file`, "");
    symlinkSync(dir.join("kept"), `${tree}/mod/link`);
    if (isRoot) {
      const all = [dir.join("place"), tree, `${tree}/mod`, `${tree}/mod/deep`, dir.join("kept")];
      for (const path of all) chownSync(path, other, other);
    }
    chmodSync(dir.path, 0o755);
    for (const path of [`${tree}/mod/deep`, `${tree}/mod`, dir.join("kept")]) chmodSync(path, 0o500);
    // Bundled first: this user need not be able to read where the sources lie.
    const script = dir.join("remove.js");
    const built = Bun.spawnSync([
      process.execPath,
      "build",
      "src/fs/remove-tree.ts",
      "--target=node",
      "--outfile",
      script,
    ]);
    expect(built.exitCode).toBe(0);
    const call = `import(${JSON.stringify(script)}).then((m) => m.removeTree(${JSON.stringify(tree)}))`;
    const run = Bun.spawnSync([...(isRoot ? asOther : []), process.execPath, "-e", call], { cwd: "/" });
    expect(run.stderr.toString()).toBe("");
    expect(existsSync(tree)).toBe(false);
    expect(statSync(dir.join("kept")).mode & 0o777).toBe(0o500);
    chmodSync(dir.join("kept"), 0o700);
  },
);
