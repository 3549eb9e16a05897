import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { errorCode, failureReason, RoborevError } from "../lib/errors.ts";
import { version } from "../lib/version.ts";
import { isSafeAddress } from "./source.ts";

const maxRedirects = 5;
const answerMs = 15_000;
/** Without a byte for so long a download is over. */
const stallMs = 30_000;
const maxTextBytes = 64 * 1024;
const maxArchiveBytes = 512 * 1024 * 1024;

/** A small text from a release. */
export async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  await receive(url, { signal, maxBytes: maxTextBytes }, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return text;
}

/** Downloads to a new file, and resolves to the SHA-256 of what came and its size. */
export async function downloadFile(
  url: string,
  path: string,
  signal: AbortSignal,
): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    await receive(url, { signal, maxBytes: maxArchiveBytes }, async (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk).catch((cause) => Promise.reject(cannotWrite(path, cause)));
    });
  } finally {
    await file.close();
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** Of a disk that is full, for instance: no fault of the server's. */
export const cannotWrite = (path: string, cause: unknown) =>
  new RoborevError(`cannot write ${path}: ${failureReason(cause)}`, { code: "E_WRITE", cause });

/** Hands over a body piece by piece. Every failure is one sentence with the address; an abort is the caller's own. */
async function receive(
  url: string,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), answerMs);
  try {
    const response = await follow(url, AbortSignal.any([signal, stalled.signal]));
    if (!response.ok) throw failure(url, `it answered ${response.status}`);
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), stallMs);
      bytes += chunk.length;
      if (bytes > maxBytes) throw failure(url, `it is larger than ${maxBytes / 1024} KiB`);
      await take(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RoborevError) throw error;
    if (stalled.signal.aborted) throw failure(url, "it does not answer", error);
    throw failure(url, errorCode(error) ?? "the connection was lost", error);
  } finally {
    clearTimeout(timer);
  }
}

/** Releases are often elsewhere than their address; the way there must be as safe as the start. */
async function follow(from: string, signal: AbortSignal): Promise<Response> {
  let url = from;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(url, {
      redirect: "manual",
      signal,
      headers: { "user-agent": `roborev/${version}` },
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    url = new URL(location, url).href;
    if (!isSafeAddress(url)) throw failure(from, "it leads to an address without https");
  }
  throw failure(from, "it leads nowhere");
}

const failure = (url: string, why: string, cause?: unknown) =>
  new RoborevError(`cannot download ${url}: ${why}`, {
    code: "E_DOWNLOAD",
    hint: "Try again later, or name another mirror in ROBOREV_UPDATE_URL.",
    ...(cause === undefined ? {} : { cause }),
  });
