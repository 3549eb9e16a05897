import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import fc from "fast-check";
import { captureLoginPath, mergedPath } from "../../src/daemon/login-path.ts";
import { tempDir } from "../support/temp.ts";
import { waitFor } from "../support/wait.ts";

/** A shell of this name that is this script; its arguments are the shell's. */
function shell(name: string, script: string) {
  const dir = tempDir({ [name]: `#!/bin/sh\n${script}\n` });
  chmodSync(dir.join(name), 0o755);
  return { path: dir.join(name), dir, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** Runs the command it is given, as a shell would, in an environment that its start files made. */
const withPath = (path: string) => `for last; do :; done; PATH='${path}' exec /bin/sh -c "$last"`;

describe("PATH of the login shell", () => {
  test("is what the user's own shell has, asked for as a login and interactive shell", async () => {
    using bash = shell("bash", `echo "$@" > "$0.args"; ${withPath("/opt/agents/bin:/usr/bin")}`);
    expect(await captureLoginPath({ SHELL: bash.path })).toEqual({
      directories: ["/opt/agents/bin", "/usr/bin"],
    });
    expect(await Bun.file(`${bash.path}.args`).text()).toStartWith("-l -i -c echo ");
  });

  test("is read by the real shells of this machine from the user's start files", async () => {
    using home = tempDir({
      ".profile": "echo welcome; export PATH=/from/profile:$PATH\n",
      ".bash_profile": "echo welcome; export PATH=/from/bash:$PATH\n",
    });
    for (const [path, directory] of [
      ["/bin/sh", "/from/profile"],
      ["/bin/bash", "/from/bash"],
    ] as const) {
      const found = await captureLoginPath({ SHELL: path, HOME: home.path, PATH: "/usr/bin:/bin" });
      expect("directories" in found ? found.directories : found).toContain(directory);
    }
  });

  test("is found among whatever start files print, relative entries left out", async () => {
    using zsh = shell("zsh", `echo PATH=/not/this; echo noise >&2; ${withPath("bin:.:/a:/a::/b")}; echo bye`);
    expect(await captureLoginPath({ SHELL: zsh.path })).toEqual({ directories: ["/a", "/b"] });
  });

  test("csh and tcsh are asked in their own way", async () => {
    using tcsh = shell("tcsh", `echo "$@" > "$0.args"; ${withPath("/a")}`);
    expect(await captureLoginPath({ SHELL: tcsh.path })).toEqual({ directories: ["/a"] });
    expect(await Bun.file(`${tcsh.path}.args`).text()).toStartWith("-i -c echo ");
  });

  test("nothing that is not known as a shell is run", async () => {
    using dir = tempDir({ repo: "" });
    for (const name of ["nologin", "false", "bash-evil", "sh.sh"]) {
      using other = shell(name, `touch '${dir.join("canary")}'`);
      expect(await captureLoginPath({ SHELL: other.path })).toHaveProperty("problem");
    }
    expect(await captureLoginPath({ SHELL: "bash" })).toHaveProperty("problem");
    expect(await Bun.file(dir.join("canary")).exists()).toBe(false);
  });

  test("a shell that fails, says nothing or is not there is a problem, not an error", async () => {
    using failing = shell("bash", "exit 3");
    using silent = shell("fish", "exit 0");
    for (const path of [failing.path, silent.path, "/nowhere/bash"])
      expect(await captureLoginPath({ SHELL: path })).toHaveProperty("problem");
  });

  test("a shell that hangs is ended after its time, with what it started", async () => {
    using hanging = shell("zsh", 'sleep 300 & echo $! > "$0.child"; wait');
    const found = await captureLoginPath({ SHELL: hanging.path }, { timeoutMs: 300 });
    expect(found).toEqual({ problem: `${hanging.path} did not answer` });
    const child = Number(await Bun.file(`${hanging.path}.child`).text());
    await waitFor("the child to be gone", () => {
      const state = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(child)])
        .stdout.toString()
        .trim();
      return state === "" || state.startsWith("Z");
    });
  });

  test("the shell sees nothing of ours or of whoever started the daemon", async () => {
    using bash = shell("bash", `env > "$0.env"; ${withPath("/a")}`);
    const env = { GIT_DIR: "x", ROBOREV_DATA_DIR: "x", BASH_ENV: "x", ENV: "x", SECRET_TOKEN: "x" };
    await captureLoginPath({ ...env, SHELL: bash.path, HOME: "/h" });
    const seen = await Bun.file(`${bash.path}.env`).text();
    expect(seen).toContain("HOME=/h");
    for (const name of Object.keys(env)) expect(seen).not.toContain(`${name}=`);
  });

  test("it starts in no checkout", async () => {
    using bash = shell("bash", `pwd > "$0.pwd"; ${withPath("/a")}`);
    mkdirSync(bash.dir.join("sub"));
    await captureLoginPath({ SHELL: bash.path });
    expect(await Bun.file(`${bash.path}.pwd`).text()).toBe("/\n");
  });
});

describe("the two lists together", () => {
  test("a PATH of the system alone gives way to the user's order", () => {
    expect(mergedPath("/usr/bin:/bin", ["/h/.nvm/bin", "/usr/bin"])).toBe("/h/.nvm/bin:/usr/bin:/bin");
    expect(mergedPath("", ["/a"])).toBe("/a");
  });

  test("a PATH that somebody made on purpose stays first", () => {
    expect(mergedPath("/venv/bin:/usr/bin", ["/h/bin", "/usr/bin"])).toBe("/venv/bin:/usr/bin:/h/bin");
  });

  test("only absolute directories, each once", () => {
    const entry = fc.oneof(fc.string(), fc.constantFrom("/a", "/usr/bin", ".", "", "a/b"));
    fc.assert(
      fc.property(fc.array(entry), fc.array(fc.constantFrom("/x", "/y", "/usr/bin")), (given, login) => {
        const merged = mergedPath(given.join(":"), login);
        const directories = merged === "" ? [] : merged.split(":");
        expect(directories.every((directory) => directory.startsWith("/"))).toBe(true);
        expect(new Set(directories).size).toBe(directories.length);
        for (const directory of login) expect(directories).toContain(directory);
      }),
    );
  });
});
