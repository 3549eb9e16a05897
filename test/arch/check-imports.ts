import { imports, packages, withoutModules } from "./rules.ts";
import { belowSrc, folderOf, importsOf, isRelative, resolveImport, type SourceFile } from "./source.ts";

/** Every import in src that the table does not allow, as `file: what is wrong`. */
export function findForbiddenImports(files: SourceFile[]): string[] {
  return files.filter(({ path }) => path.startsWith("src/")).flatMap((file) => forbiddenImports(file));
}

function forbiddenImports(file: SourceFile): string[] {
  const from = folderOf(file.path);
  const rule = Object.hasOwn(imports, from) ? imports[from] : undefined;
  if (!rule) return [`${file.path}: the folder ${from} is not in the import table`];
  return importsOf(file).flatMap(({ path, lazy }) => {
    const problem = isRelative(path)
      ? relativeProblem(file.path, resolveImport(file.path, path), lazy)
      : moduleProblem(from, path);
    return problem ? [`${file.path}: ${problem}`] : [];
  });
}

function relativeProblem(from: string, target: string, lazy: boolean): string | undefined {
  if (!target.startsWith("src/"))
    return target === "package.json" ? undefined : `imports ${target}, outside of src`;
  if (!/\.(ts|tsx|md|json|txt|toml)$/.test(target)) return `imports ${target} without the file's extension`;
  const [own, other] = [folderOf(from), folderOf(target)];
  const rule = imports[own];
  if (own === other || other === "lib" || rule?.folders.includes(other)) return undefined;
  if (rule?.files?.includes(belowSrc(target))) return undefined;
  if (lazy && rule?.lazily?.includes(other)) return undefined;
  return rule?.lazily?.includes(other)
    ? `imports ${other} statically; only import() may`
    : `${own} must not import ${other} (${target})`;
}

function moduleProblem(from: string, path: string): string | undefined {
  if (withoutModules.includes(from)) return `${from} must not load ${path}`;
  if (path.startsWith("node:")) return undefined;
  const name = path.startsWith("@") ? path.split("/").slice(0, 2).join("/") : (path.split("/")[0] ?? path);
  const users = packages[name] ?? packages[`${name.split("/")[0]}/*`];
  if (!users) return `${path} is not in the table of packages (node's own modules are written node:x)`;
  return users.includes(from) ? undefined : `${from} must not load ${path}`;
}

/** Modules outside of src that an entry file loads before anything runs, each with the chain that leads there. */
export function findEagerModules(files: SourceFile[], entry: string): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, chain: string[]) => {
    const file = byPath.get(path);
    if (seen.has(path) || !file) return;
    seen.add(path);
    for (const { path: wanted, lazy } of importsOf(file)) {
      if (lazy) continue;
      if (isRelative(wanted)) visit(resolveImport(path, wanted), [...chain, path]);
      else found.push(`${[...chain, path].map(belowSrc).join(" → ")} → ${wanted}`);
    }
  };
  visit(entry, []);
  return found;
}
