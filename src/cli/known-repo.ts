import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { DaemonClient } from "../client/daemon.ts";
import type { ReposResponse } from "../daemon/api/responses.ts";
import { findCheckout } from "../git/checkout.ts";
import { RoborevError } from "../lib/errors.ts";
import { singleLine } from "../lib/text.ts";
import { typed } from "./arguments.ts";

export type KnownRepo = ReposResponse["repos"][number];

/**
 * The repository that the daemon knows by a name or a path; nothing given: the one that `cwd` is in. A path may lie
 * inside it, and may be gone. A word with a slash, and one that begins with a dot, is a path.
 */
export async function knownRepo(
  client: DaemonClient,
  word: string | undefined,
  cwd: string,
): Promise<KnownRepo> {
  const { repos } = await client.repos();
  const named = word === undefined || /^\.|\//.test(word) ? [] : repos.filter(({ name }) => name === word);
  if (named.length > 1) {
    throw new RoborevError(`${named.length} repositories are called ${typed(word ?? "")}`, {
      code: "E_AMBIGUOUS",
      hint: `Name one by its path: ${named.map(({ root_path }) => singleLine(root_path)).join(", ")}`,
    });
  }
  const repo = named[0] ?? (await atPath(repos, resolve(cwd, word ?? ".")));
  if (repo) return repo;
  throw new RoborevError(
    word === undefined ? "no repository is known here" : `there is no repository ${typed(word)}`,
    { code: "E_NOT_FOUND", hint: "roborev repo list shows them." },
  );
}

async function atPath(repos: KnownRepo[], path: string): Promise<KnownRepo | undefined> {
  const real = realPathOf(path);
  const known = repos.find(({ root_path }) => root_path === real);
  if (known) return known;
  const root = await findCheckout(real).then(
    (checkout) => checkout?.mainRoot,
    () => undefined, // a directory that is gone
  );
  return repos.find(({ root_path }) => root_path === root);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
