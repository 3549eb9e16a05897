import { singleLine } from "../../../lib/text.ts";
import type { ToolUse } from "../stream/event.ts";
import type { JsonObject } from "../stream/parser.ts";

/** Of a tool's input: which key says it best, and what it is. */
interface Detail {
  keys: readonly string[];
  kind: "path" | "text";
}

interface Tool {
  name: string;
  /** What programs call it, by the letters alone. */
  others: readonly string[];
  details: readonly Detail[];
}

const path: Detail = {
  keys: ["filepath", "path", "targetfile", "file", "filename", "absolutepath", "notebookpath"],
  kind: "path",
};
const directory: Detail = {
  keys: ["path", "dirpath", "directorypath", "directory", "targetdirectory", "dir"],
  kind: "path",
};
const pattern: Detail = { keys: ["pattern", "query", "regex", "globpattern", "glob"], kind: "text" };
const command: Detail = { keys: ["command", "cmd", "script"], kind: "text" };
const url: Detail = { keys: ["url", "urls", "prompt"], kind: "text" };
const anything: Detail = {
  keys: [...command.keys, ...path.keys, ...pattern.keys, "url", "description", "prompt", "input", "name"],
  kind: "text",
};

const tools: readonly Tool[] = [
  { name: "Read", others: ["readfile", "view", "viewfile", "readmanyfiles", "cat"], details: [path] },
  {
    name: "Edit",
    others: [
      ...["multiedit", "strreplace", "strreplaceeditor", "replace", "searchreplace", "applypatch", "patch"],
      ...["editfile", "notebookedit", "filechange"],
    ],
    details: [path],
  },
  { name: "Write", others: ["writefile", "create", "createfile"], details: [path] },
  {
    name: "Bash",
    others: ["shell", "execute", "runshellcommand", "runterminalcmd", "runterminalcommand", "terminal"],
    details: [command],
  },
  {
    name: "Grep",
    others: ["grepsearch", "searchfilecontent", "searchfiles", "rg", "ripgrep"],
    details: [pattern, directory],
  },
  { name: "Glob", others: ["globsearch", "findfiles", "filesearch"], details: [pattern, directory] },
  { name: "List", others: ["ls", "listdir", "listdirectory"], details: [directory] },
  { name: "WebFetch", others: ["fetch", "fetchurl", "webfetchtool"], details: [url] },
  { name: "WebSearch", others: ["googlewebsearch", "websearchtool"], details: [pattern] },
];

const byName = new Map(
  tools.flatMap((tool) => [tool.name.toLowerCase(), ...tool.others].map((name) => [name, tool] as const)),
);

const maxLength = 80;

/** A use of a tool in one line: its name, the same whatever the program calls it, and what it is used on. */
export function toolLine({ name, input }: ToolUse): { name: string; detail: string } {
  const tool = byName.get(letters(name));
  const details = (tool?.details ?? [anything]).flatMap((detail) => shownValue(input, detail) ?? []);
  return {
    name: tool?.name ?? (singleLine(name).slice(0, maxLength) || "tool"),
    detail: details.join(" in "),
  };
}

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function shownValue(input: JsonObject, { keys, kind }: Detail): string | undefined {
  const entries = Object.entries(input).map(([key, value]) => [letters(key), wordsOf(value)] as const);
  for (const key of keys) {
    const value = entries.find(([name, text]) => name === key && text !== "")?.[1];
    if (value !== undefined) return kind === "path" ? cutStart(value) : cutEnd(unwrapped(value));
  }
  return undefined;
}

function wordsOf(value: unknown): string {
  if (typeof value === "string") return singleLine(value);
  return Array.isArray(value) ? singleLine(value.filter((word) => typeof word === "string").join(" ")) : "";
}

/** Codex runs every command through a shell, which is not the news. */
function unwrapped(command: string): string {
  const script = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (.+)$/.exec(command)?.[1];
  if (script === undefined) return command;
  const quoted = /^'([^']*)'$/.exec(script)?.[1];
  if (quoted !== undefined) return quoted;
  const inner = /^"((?:[^"\\]|\\.)*)"$/.exec(script)?.[1];
  return inner === undefined ? script : inner.replace(/\\([$`"\\])/g, "$1");
}

function cutEnd(text: string): string {
  const chars = [...text];
  return chars.length <= maxLength ? text : `${chars.slice(0, maxLength - 1).join("")}…`;
}

/** The end of a path says more than its beginning. */
function cutStart(text: string): string {
  const chars = [...text];
  return chars.length <= maxLength ? text : `…${chars.slice(1 - maxLength).join("")}`;
}
