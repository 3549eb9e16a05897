import { editJson } from "./json.ts";
import { isPlainJson, type JsonText, parseJsonText } from "./json-text.ts";
import type { TreeEdit } from "./tree.ts";
import { editYaml } from "./yaml.ts";
import { parseYamlText, type YamlText } from "./yaml-text.ts";

/** A configuration file in one of the languages that can be edited without touching what is somebody else's. */
export type ConfigText = JsonText | YamlText;

/** Throws for whatever is not unambiguously one document, with file, line and reason. */
export function parseConfigText(
  language: ConfigText["language"],
  path: string,
  bytes: Uint8Array,
): ConfigText {
  return language === "json" ? parseJsonText(path, bytes) : parseYamlText(path, bytes);
}

/** The document after one proved edit. */
export function editConfigText(document: ConfigText, edit: TreeEdit): ConfigText {
  return document.language === "json" ? editJson(document, edit) : editYaml(document, edit);
}

/** Whether every program that reads this language reads the document; `comments`: every one that also reads comments. */
export function isPlain(document: ConfigText, comments: boolean): boolean {
  return document.language === "yaml" || isPlainJson(document, comments);
}
