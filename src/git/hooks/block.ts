import { cutLegacyBlocks } from "./legacy-block.ts";
import { endMarker, type HookName, startMarkerPrefix } from "./script.ts";

/** Where a block of ours lies, its final line break included; undefined when there is none, or no end marker. */
export function findBlock(text: string, hook: HookName): { start: number; end: number } | undefined {
  const first = indexOfLine(text, startMarkerPrefix(hook), 0);
  if (first < 0) return undefined;
  const at = indexOfLine(text, endMarker(hook).slice(0, -1), first);
  if (at < 0) return undefined;
  // A start whose end was lost must not take what follows it along.
  let start = first;
  for (
    let next = first;
    next >= 0 && next < at;
    next = indexOfLine(text, startMarkerPrefix(hook), next + 1)
  ) {
    start = next;
  }
  const lineEnd = text.indexOf("\n", at);
  return { start, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}

/** Whether a block of ours was damaged by hand: a start without its end. */
export function hasDamagedBlock(text: string, hook: HookName): boolean {
  return indexOfLine(cutBlocks(text, hook), startMarkerPrefix(hook), 0) >= 0;
}

function indexOfLine(text: string, prefix: string, from: number): number {
  if (from === 0 && text.startsWith(prefix)) return 0;
  const at = text.indexOf(`\n${prefix}`, Math.max(0, from - 1));
  return at < 0 ? -1 : at + 1;
}

/** The text without any block of ours, of this or an earlier make. Everything else keeps its bytes. */
export function cutBlocks(text: string, hook: HookName): string {
  let rest = text;
  for (let block = findBlock(rest, hook); block; block = findBlock(rest, hook)) {
    rest = rest.slice(0, block.start) + rest.slice(block.end);
  }
  return cutLegacyBlocks(rest);
}

/** The text with a block right behind its shebang, where a later `exit` cannot skip it; without one, in front. */
export function insertBlock(text: string, block: string): string {
  if (!text.startsWith("#!")) return block + text;
  const lineEnd = text.indexOf("\n");
  if (lineEnd < 0) return `${text}\n${block}`;
  return text.slice(0, lineEnd + 1) + block + text.slice(lineEnd + 1);
}

/** Nothing but a shebang and blank lines. */
export function isBlankScript(text: string): boolean {
  return text.replace(/^#![^\n]*/, "").trim() === "";
}

const shells = /^(?:sh|bash|zsh|ksh|mksh|dash|ash)$/;

/** Whether the system would run this file by a shell that understands POSIX sh. */
export function isShellScript(text: string): boolean {
  if (!text.startsWith("#!")) return !text.slice(0, 8192).includes("\0"); // git hands it to sh
  const words = (text.slice(2).split("\n", 1)[0] ?? "").trim().split(/\s+/);
  const program = (word: string | undefined) => word?.split("/").at(-1) ?? "";
  if (program(words[0]) !== "env") return shells.test(program(words[0]));
  return shells.test(program(words.slice(1).find((word) => !word.startsWith("-") && !word.includes("="))));
}
