import { expect, test } from "bun:test";
import { packagedBy } from "../../src/lib/packaged.ts";

test.each([
  ["/home/u/.local/share/mise/installs/roborev/1.2.3/bin/roborev", "mise upgrade roborev"],
  ["/opt/homebrew/Cellar/roborev/1.2.3/bin/roborev", "brew upgrade roborev"],
  ["/home/linuxbrew/.linuxbrew/Cellar/roborev/1.2.3/bin/roborev", "brew upgrade roborev"],
  ["/home/u/.asdf/installs/roborev/1.2.3/bin/roborev", "asdf install roborev latest"],
  ["/nix/store/abc-roborev-1.2.3/bin/roborev", "nix profile upgrade roborev"],
  ["/usr/lib/node_modules/@roborev/linux-x64/bin/roborev", "npm install --global roborev@latest"],
  ["C:\\Users\\u\\AppData\\npm\\node_modules\\roborev\\roborev.exe", "npm install --global roborev@latest"],
  ["/home/u/.bun/install/global/node_modules/roborev/bin/roborev", "bun update --global --latest roborev"],
  ["/usr/bin/roborev", "that one, on Debian and Ubuntu sudo apt install --only-upgrade roborev"],
  ["/usr/lib/roborev/roborev", "that one, on Debian and Ubuntu sudo apt install --only-upgrade roborev"],
])("a program at %s is renewed by its packager", (path, upgrade) => {
  expect(packagedBy(path)?.upgrade).toBe(upgrade);
});

test.each([
  "/home/u/.local/bin/roborev",
  "/usr/local/bin/roborev",
  "/opt/roborev/roborev",
  "C:\\tools\\roborev.exe",
])("a program at %s is nobody's but its user's", (path) => {
  expect(packagedBy(path)).toBeUndefined();
});
