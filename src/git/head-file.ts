import type { Stats } from "node:fs";
import { join } from "node:path";
import { readSmallFile } from "./small-file.ts";

const maxPackedBytes = 16 * 1024 * 1024;
const maxSymrefs = 5;

type Look = (path: string) => Stats | undefined;

/**
 * HEAD of a working tree from its files; undefined where only git can tell (reftable, broken or odd files).
 * `look` sees each file before it is read.
 */
export function readHead(
  gitDir: string,
  commonDir: string,
  look?: Look,
): { head?: string; branch: string } | undefined {
  let name = "HEAD";
  for (let step = 0; step <= maxSymrefs; step++) {
    const target = readRef(name, name === "HEAD" ? gitDir : commonDir, commonDir, look);
    if (target === "odd") return undefined;
    const branch = name === "HEAD" ? "" : name.slice("refs/heads/".length);
    if (target === undefined) return name === "HEAD" ? undefined : { branch };
    if (target.sha !== undefined) return { head: target.sha, branch };
    name = target.ref;
  }
  return undefined;
}

type Ref = { sha: string } | { sha?: undefined; ref: string };

function readRef(name: string, directory: string, commonDir: string, look?: Look): Ref | "odd" | undefined {
  // Twice: a ref may move from its own file to packed-refs between the two looks.
  for (let attempt = 0; attempt < 2; attempt++) {
    const loose = readSmallFile(join(directory, name), 4096, look);
    if (Buffer.isBuffer(loose)) return parseRef(loose.toString("latin1"));
    if (loose === "odd" && name === "HEAD") return "odd";
    if (name === "HEAD") return undefined;
    const packed = readPackedRef(name, commonDir, look);
    if (packed !== undefined) return packed;
    if (loose === "odd") return "odd"; // most likely a directory of refs, but that is not ours to judge
  }
  return undefined;
}

function parseRef(text: string): Ref | "odd" {
  const sha = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(text)?.[1];
  if (sha !== undefined) return { sha };
  const ref = /^ref:[ \t]*(refs\/heads\/[^\n]+)\n?$/.exec(text)?.[1];
  return ref !== undefined && isPlainBranchRef(ref) ? { ref: Buffer.from(ref, "latin1").toString() } : "odd";
}

/** Git's rule for ref names (git-check-ref-format): such a name is also a path that stays below refs/heads. */
export function isPlainBranchRef(ref: string): boolean {
  return !/[\0-\x20\x7f~^:?*[\\]|\.\.|\/\/|\/\.|\.\/|\.lock(\/|$)|@\{|[./]$/.test(ref);
}

function readPackedRef(name: string, commonDir: string, look?: Look): Ref | "odd" | undefined {
  const packed = readSmallFile(join(commonDir, "packed-refs"), maxPackedBytes, look);
  if (!Buffer.isBuffer(packed)) return packed;
  for (let from = 0; ; ) {
    const at: number = packed.indexOf(` ${name}`, from);
    if (at < 0) return undefined;
    const end: number = at + 1 + Buffer.byteLength(name);
    from = end;
    if (end < packed.length && packed[end] !== 0x0a) continue; // a longer name
    const sha = packed.toString("latin1", packed.lastIndexOf("\n", at) + 1, at);
    return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha) ? { sha } : "odd";
  }
}
