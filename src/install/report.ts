import type { Failure } from "./options.ts";

export interface Result {
  displayName: string;
  path: string;
  changed: boolean;
  dryRun: boolean;
}

/** The line that `install` prints for one agent; scripts look for it. */
export function installLine({ displayName, path, changed, dryRun }: Result): string {
  if (!changed) return `${displayName} agent hooks already installed in ${path}`;
  return dryRun
    ? `would update ${displayName} agent hooks in ${path}`
    : `installed ${displayName} agent hooks in ${path}`;
}

/** The line that `uninstall` prints for one agent. */
export function uninstallLine({ displayName, path, changed, dryRun }: Result): string {
  if (!changed) return `${displayName} agent hooks not installed in ${path}`;
  return dryRun
    ? `would remove ${displayName} agent hooks from ${path}`
    : `removed ${displayName} agent hooks from ${path}`;
}

/** `<Display Name> (<path>): <cause>`. */
export function failureLine({ displayName, path, cause }: Failure): string {
  return path === undefined ? `${displayName}: ${cause}` : `${displayName} (${path}): ${cause}`;
}
