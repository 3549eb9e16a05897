import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tempDir } from "../../support/temp.ts";
import { fake, leftovers, read, script, shells } from "./scene.ts";

const programs =
  "uname mkdir mktemp curl wget tar grep awk sed rm basename dirname cat tr sha256sum ldd npx bun";

test.each(shells)(
  "under %s a script that was cut short anywhere runs nothing at all",
  (_, shell) => {
    using home = tempDir();
    mkdirSync(home.join("fake"));
    // Whatever it could call leaves a mark, and there is nothing else to call.
    for (const name of programs.split(" ")) fake(home, name, `echo ${name} >>"$HOME/called"`);
    const argv = [Bun.which(shell[0] as string) as string, ...shell.slice(1)];
    const run = (text: string) => {
      writeFileSync(home.join("cut.sh"), text);
      return Bun.spawnSync([...argv, home.join("cut.sh")], {
        env: { PATH: home.join("fake"), HOME: home.path },
        stderr: "ignore",
      }).stdout.toString();
    };
    const whole = read(script);
    const lastLine = whole.trimEnd().lastIndexOf("\n");
    // Every byte of the line that calls, and many places before.
    const ends = Array.from({ length: Math.ceil(lastLine / 397) }, (_, index) => index * 397);
    for (let end = lastLine; end < whole.trimEnd().length; end++) ends.push(end);
    const before = [...leftovers(home.path), "cut.sh"].sort();
    for (const end of ends) {
      expect({ end, stdout: run(whole.slice(0, end)), left: leftovers(home.path) }).toEqual({
        end,
        stdout: "",
        left: before,
      });
    }
    run(whole);
    expect(existsSync(home.join("called"))).toBe(true); // the marks work
  },
  60_000,
);
