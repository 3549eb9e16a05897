import type { RemapRequest } from "../daemon/api/requests.ts";

type Mapping = RemapRequest["mappings"][number];

const sha = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Most mappings in one request. */
export const maxMappings = 1000;

/** The `old new` lines that git gives its post-rewrite hook; lines of any other form are left out. */
export function parseRewritten(text: string): Mapping[] {
  return text.split("\n").flatMap((line) => {
    const [old_sha = "", new_sha = ""] = line.trim().split(/\s+/);
    return sha.test(old_sha) && sha.test(new_sha) && old_sha !== new_sha ? [{ old_sha, new_sha }] : [];
  });
}

/** Portions of at most `maxMappings`. */
export function chunkMappings(mappings: readonly Mapping[]): Mapping[][] {
  const chunks: Mapping[][] = [];
  for (let at = 0; at < mappings.length; at += maxMappings) chunks.push(mappings.slice(at, at + maxMappings));
  return chunks;
}
