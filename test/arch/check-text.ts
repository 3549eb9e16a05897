import { basename } from "node:path";
import {
  codeRules,
  fileName,
  forbiddenNames,
  machinePath,
  maxLines,
  silenced,
  type TextRule,
  unfinished,
} from "./rules.ts";
import { belowSrc, codeOf, importsOf, isRelative, root, type SourceFile } from "./source.ts";

/** Code in src that stands where a rule does not allow it. */
export function findForbiddenCode(files: SourceFile[], rules: TextRule[] = codeRules): string[] {
  return files
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap((file) => {
      const path = belowSrc(file.path);
      const code = codeOf(file);
      return rules
        .filter((rule) => rule.within === undefined || stands(path, rule.within))
        .filter((rule) => !stands(path, rule.allowed))
        .flatMap((rule) => {
          const match = rule.pattern.exec(code);
          return match ? [`${file.path}: ${rule.name} (${match[0]})`] : [];
        });
    });
}

const stands = (path: string, places: string[]) =>
  places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));

/** Marks of unfinished work in src and test, and in src paths of the machine it was written on. */
export function findUnfitText(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const problems: string[] = [];
    const mark = unfinished.exec(text);
    if (mark) problems.push(`${path}: unfinished (${mark[0]})`);
    const silence = silenced.exec(text);
    if (silence) problems.push(`${path}: silences the type checker (${silence[0]})`);
    const place =
      path.startsWith("src/") && (machinePath.exec(text)?.[0] ?? (text.includes(root) ? root : undefined));
    if (place) problems.push(`${path}: names a path of one machine (${place})`);
    return problems;
  });
}

export function findLongFiles(files: SourceFile[], limit = maxLines): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.replace(/\n$/, "").split("\n").length;
    return lines > limit ? [`${path}: ${lines} lines, the limit is ${limit}`] : [];
  });
}

export function findUnfitNames(files: SourceFile[]): string[] {
  return files.flatMap(({ path }) => {
    const name = basename(path);
    const words = path.replace(/\.[^/]*$/, "").split(/[/.-]/);
    const bad = words.find((word) => forbiddenNames.includes(word.toLowerCase()));
    if (bad) return [`${path}: "${bad}" says nothing about what is in it`];
    return fileName.test(name) ? [] : [`${path}: file names are kebab-case`];
  });
}

/** Files of src that only pass on what other files export. */
export function findBarrels(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith("src/"))
    .filter((file) => importsOf(file).some(({ path }) => isRelative(path)))
    .filter(
      (file) =>
        codeOf(file)
          .replace(/export\s*(\*|\{[^}]*\})\s*(as\s+\w+\s*)?from\s*"[^"]*";?/g, "")
          .trim() === "",
    )
    .map(({ path }) => `${path}: only re-exports`);
}
