import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git, type TestRepo } from "../support/repo.ts";

// Every way known to us in which a repository can make git, or a tool that uses git, run a program of its choice.

const hookNames = [
  ...[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
  ],
  ...[
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "reference-transaction",
  ],
  ...["pre-auto-gc", "post-rewrite", "post-index-change", "fsmonitor-watchman", "push-to-checkout"],
];

/** Settings whose value is a program, or a command line. */
const programSettings = [
  ...["core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy"],
  ...["core.alternateRefsCommand", "sequence.editor", "diff.external", "interactive.diffFilter"],
  ...[
    "gpg.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.x509.program",
    "gpg.openpgp.program",
  ],
  ...[
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "filter.a b.clean",
    "filter.a b.smudge",
  ],
  ...["diff.evil.textconv", "diff.evil.command", "merge.evil.driver", "merge.default", "trailer.x.command"],
  ...[
    "pager.log",
    "pager.diff",
    "pager.status",
    "pager.show",
    "pager.rev-list",
    "man.evil.cmd",
    "browser.evil.cmd",
  ],
  ...[
    "uploadpack.packObjectsHook",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "credential.helper",
  ],
  ...["difftool.evil.cmd", "mergetool.evil.cmd", "sendemail.toCmd", "lfs.customtransfer.evil.path"],
  ...["tar.tgz.command", "init.templateDir", "instaweb.browser", "hook.evil.command"],
];

/** Settings that bring a program of another setting into play. */
const leverSettings: Record<string, string> = {
  "filter.evil.required": "true",
  "log.showSignature": "true",
  "submodule.recurse": "true",
  "status.submoduleSummary": "true",
  "diff.submodule": "log",
  "fetch.recurseSubmodules": "true",
  "gc.auto": "1",
  "gc.autoDetach": "false",
  "maintenance.auto": "true",
  "core.untrackedCache": "true",
  "gpg.format": "ssh",
  "hook.evil.event": "post-checkout",
  "protocol.ext.allow": "always",
  "remote.origin.promisor": "true",
  "remote.origin.partialclonefilter": "blob:none",
  "extensions.worktreeConfig": "true",
};

export interface Traps {
  /** Names of everything that was run. */
  canaries(): string[];
}

/** Turns a repository into one that tries to run something at every step. Its committed files stay as they are. */
export function setTraps(repo: TestRepo, side: string): Traps {
  const canaries = join(side, "canaries");
  mkdirSync(canaries, { recursive: true });
  const program = (name: string): string => {
    const path = join(side, "programs", name.replaceAll(/[^\w.-]/g, "_"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n: > '${join(canaries, name)}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const hooks = join(side, "hooks");
  for (const directory of [hooks, join(repo.path, ".git/hooks")]) {
    mkdirSync(directory, { recursive: true });
    for (const name of hookNames) {
      writeFileSync(join(directory, name), `#!/bin/sh\n: > '${join(canaries, `hook-${name}`)}'\n`);
      chmodSync(join(directory, name), 0o755);
    }
  }
  const config = (file: string, key: string, value: string) =>
    git(repo.path, "config", "-f", file, key, value);
  const local = join(repo.path, ".git/config");
  for (const [key, value] of Object.entries(leverSettings)) config(local, key, value);
  for (const key of programSettings) config(local, key, program(key));
  for (const verb of ["rev-parse", "log", "diff", "diff-tree", "status", "config", "cat-file", "worktree"])
    config(local, `alias.${verb}`, `!${program(`alias-${verb}`)}`);
  config(local, "core.hooksPath", hooks);
  const touch = (name: string) => `touch ${join(canaries, name)}`;
  config(local, "remote.origin.url", `ext::${touch("remote")}`);
  config(local, "url.ext::sh -c x.insteadOf", "https://");
  config(local, "submodule.lib.update", `!${touch("submodule-update")}`);
  config(local, "submodule.lib.url", `ext::${touch("submodule-url")}`);
  for (const [name, condition] of [
    ["include", "include.path"],
    ["include-if", "includeIf.gitdir:/.path"],
  ] as const) {
    const file = join(side, `${name}.config`);
    writeFileSync(file, "");
    for (const key of ["core.fsmonitor", "diff.external", "filter.evil.clean", "filter.included.smudge"])
      config(file, key, program(`${name}-${key}`));
    config(local, condition, file);
  }
  config(join(repo.path, ".git/config.worktree"), "filter.evil.smudge", program("config.worktree"));
  mkdirSync(join(repo.path, ".git/info"), { recursive: true });
  writeFileSync(
    join(repo.path, ".git/info/attributes"),
    "* filter=evil diff=evil merge=evil\nb* filter=included\n",
  );
  return { canaries: () => readdirSync(canaries).sort() };
}
