import { join } from "node:path";
import { singleLine } from "../lib/text.ts";
import type { Checkout } from "./checkout.ts";
import { isRemembered } from "./checkout-cache.ts";
import { decode, gitError, runGit } from "./exec.ts";
import { fileStamp, readSmallFile } from "./small-file.ts";

const maxCached = 512;
interface Known {
  stamp: string;
  identity: string;
}
const cache = new Map<string, Known>();
/** With the stamp of `.roborev-id` alone. */
const byCheckout = new WeakMap<object, Known>();

type Place = Pick<Checkout, "mainRoot" | "worktreeRoot" | "commonDir">;

/**
 * What tells this repository from others wherever it lies: `.roborev-id`, else the URL of `origin`, else of the
 * first other remote, else its path. Without credentials. Answered from memory while the files it came from
 * are unchanged.
 */
export async function repoIdentity(checkout: Place): Promise<string> {
  const idFile = idFileOf(checkout);
  const idStamp = fileStamp(idFile);
  const stamp = `${fileStamp(join(checkout.commonDir, "config"))} ${idStamp}`;
  const key = `${checkout.mainRoot}\0${idFile}`;
  const cached = cache.get(key);
  let identity = cached?.stamp === stamp ? cached.identity : undefined;
  if (identity === undefined) {
    identity = tryReadId(idFile) ?? (await remoteIdentity(checkout)) ?? `local://${checkout.mainRoot}`;
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { stamp, identity });
  }
  if (isRemembered(checkout)) byCheckout.set(checkout, { stamp: idStamp, identity });
  return identity;
}

/** The identity if it is known without a look at the configuration: that of a checkout that was resolved just now. */
export function knownIdentity(checkout: Place): string | undefined {
  const known = byCheckout.get(checkout);
  return known !== undefined && known.stamp === fileStamp(idFileOf(checkout)) ? known.identity : undefined;
}

const idFileOf = ({ mainRoot, worktreeRoot, commonDir }: Place): string =>
  join(mainRoot === commonDir ? worktreeRoot : mainRoot, ".roborev-id");

function tryReadId(path: string): string | undefined {
  const bytes = readSmallFile(path, 4096);
  if (!Buffer.isBuffer(bytes)) return undefined;
  const id = bytes.toString().trim();
  return /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,255}$/.test(id) ? id : undefined;
}

async function remoteIdentity(checkout: Place): Promise<string | undefined> {
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
