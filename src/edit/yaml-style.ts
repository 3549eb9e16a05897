import type { JsonValue } from "./tree.ts";
import type { YamlNode } from "./yaml-tree.ts";

/** How a document is written, so that what is added looks like its neighbours. */
export interface YamlStyle {
  eol: string;
  /** Columns from a key to the keys below it. */
  unit: number;
  /** Columns from a key to the dashes below it. */
  dashes: number;
  /** Columns from a dash to what it introduces. */
  afterDash: number;
}

export function yamlStyleOf(text: string, root: YamlNode | undefined): YamlStyle {
  const seen: Partial<YamlStyle> = {};
  if (root) look(text, root, seen);
  return {
    eol: /\r?\n/.exec(text)?.[0] ?? "\n",
    unit: seen.unit ?? 2,
    dashes: seen.dashes ?? seen.unit ?? 2,
    afterDash: seen.afterDash ?? 2,
  };
}

/** Takes each width from the first place that shows it. */
function look(text: string, node: YamlNode, seen: Partial<YamlStyle>): void {
  for (const child of node.children ?? []) {
    const value = child.type === "property" ? child.children?.[1] : child;
    const first = value?.children?.[0];
    if (!value || !first || value.shared || child.shared || value.flow) continue;
    const width = columnOf(text, first.lead) - columnOf(text, child.lead);
    if (child.type !== "property") {
      const sameLine = !text.slice(child.lead, first.lead).includes("\n");
      if (sameLine && width > 0) seen.afterDash ??= width;
    } else if (value.type === "array") seen.dashes ??= width;
    else if (width > 0) seen.unit ??= width;
    look(text, value, seen);
  }
}

export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

/** `value` in lines, of which the first continues a line that is already at `column`. */
export function renderBlock(value: JsonValue, column: number, style: YamlStyle): string {
  if (!hasContent(value)) return typeof value === "string" ? scalar(value) : renderFlow(value);
  const line = style.eol + " ".repeat(column);
  if (Array.isArray(value)) {
    const dash = `-${" ".repeat(style.afterDash - 1)}`;
    return value.map((item) => dash + renderBlock(item, column + style.afterDash, style)).join(line);
  }
  return Object.entries(value)
    .map(([key, child]) => renderMember(key, child, column, style))
    .join(line);
}

/** A key at `column` with its value behind or below it. */
export function renderMember(key: string, value: JsonValue, column: number, style: YamlStyle): string {
  const name = scalar(key);
  if (!hasContent(value)) return `${name}: ${renderBlock(value, column, style)}`;
  const inner = column + (Array.isArray(value) ? style.dashes : style.unit);
  return `${name}:${style.eol}${" ".repeat(inner)}${renderBlock(value, inner, style)}`;
}

/** `value` on one line, as JSON writes it, which YAML understands. */
export function renderFlow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(renderFlow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, child]) => `${quoted(key)}: ${renderFlow(child)}`);
    return `{${members.join(", ")}}`;
  }
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

function hasContent(value: JsonValue): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Words that some version of YAML takes for something else than text. */
const special = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

const scalar = (text: string) =>
  /^[A-Za-z_][\w-]*$/.test(text) && !special.test(text) ? text : quoted(text);

/** In double quotes; what JSON leaves as it is and YAML does not print is escaped as well. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
