import { join } from "node:path";
import { singleLine } from "../lib/text.ts";
import type { Checkout } from "./checkout.ts";
import { decode, gitError, runGit } from "./exec.ts";
import { fileStamp, readSmallFile } from "./small-file.ts";

const maxCached = 512;
const cache = new Map<string, { stamp: string; identity: string }>();

/**
 * What tells this repository from others wherever it lies: `.roborev-id`, else the URL of `origin`, else of the
 * first other remote, else its path. Without credentials. Answered from memory while the files it came from
 * are unchanged.
 */
export async function repoIdentity(
  checkout: Pick<Checkout, "mainRoot" | "worktreeRoot" | "commonDir">,
): Promise<string> {
  const idFile = join(
    checkout.mainRoot === checkout.commonDir ? checkout.worktreeRoot : checkout.mainRoot,
    ".roborev-id",
  );
  const stamp = `${fileStamp(join(checkout.commonDir, "config"))} ${fileStamp(idFile)}`;
  const key = `${checkout.mainRoot}\0${idFile}`;
  const cached = cache.get(key);
  if (cached?.stamp === stamp) return cached.identity;
  const identity = tryReadId(idFile) ?? (await remoteIdentity(checkout)) ?? `local://${checkout.mainRoot}`;
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, { stamp, identity });
  return identity;
}

function tryReadId(path: string): string | undefined {
  const bytes = readSmallFile(path, 4096);
  if (!Buffer.isBuffer(bytes)) return undefined;
  const id = bytes.toString().trim();
  return /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,255}$/.test(id) ? id : undefined;
}

async function remoteIdentity(
  checkout: Pick<Checkout, "worktreeRoot" | "commonDir">,
): Promise<string | undefined> {
  const args = ["config", "--null", "--get-regexp", "^remote\\..*\\.url$"];
  const result = await runGit(args, { cwd: checkout.worktreeRoot, timeoutMs: 5000 });
  if (result.exitCode === 1) return undefined; // no such key
  if (result.exitCode !== 0) throw gitError(args, checkout.worktreeRoot, result);
  const remotes = decode(result.stdout)
    .split("\0")
    .filter((entry) => entry.includes("\n"))
    .map((entry) => {
      const at = entry.indexOf("\n");
      return { name: entry.slice("remote.".length, at - ".url".length), url: entry.slice(at + 1) };
    });
  const url = (remotes.find(({ name }) => name === "origin") ?? remotes[0])?.url;
  return url === undefined ? undefined : withoutCredentials(url) || undefined;
}

/** A remote's URL without user and password: `https://u:p@host/x` and `git@host:x` lose what stands before the `@`. */
export function withoutCredentials(url: string): string {
  const text = singleLine(url);
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0];
  if (scheme !== undefined) return scheme + text.slice(scheme.length).replace(/^[^/?#]*@/, "");
  // scp form, as git tells it from a local path: no slash before the first colon
  return /^[^/]*:/.test(text) ? text.replace(/^[^/:]*@/, "") : text;
}
