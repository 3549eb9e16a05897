import { expect, test } from "bun:test";
import { environmentVariables } from "../../src/config/environment.ts";
import { hookVariableNames } from "../../src/daemon/review-hooks/values.ts";
import { codeOf, readSources, type SourceFile } from "./source.ts";

/** What only looks like one: constants of the build, the mark of a here-document, the end of a longer name. */
const others = ["ROBOREV_VERSION", "ROBOREV_PLATFORM", "ROBOREV_PAIRS", "ROBOREV_ADDR"];

/** Files that put names together from parts, each of which has a list of them, and one that compares with the list. */
const composers = [
  "src/config/environment.ts",
  "src/config/hook.ts",
  "src/daemon/review-hooks/values.ts",
  "src/cli/doctor/environment.ts",
];

const known = [...environmentVariables.map(({ name }) => name), ...hookVariableNames, ...others];

/** Variables that a file's code names and the table lacks; `ROBOREV_X_` stands for all that begin so. */
function unknownVariables(file: SourceFile): string[] {
  const code = codeOf(file);
  const names = [...code.matchAll(/\bROBOREV_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
  const parts = [...code.matchAll(/\bROBOREV_(?:[A-Z]+_)*(?=\$\{|["'`])/g)].map(([part]) => part);
  const isPart = (part: string) =>
    part === "ROBOREV_" ? composers.includes(file.path) : known.some((name) => name.startsWith(part));
  return [...names.filter((name) => !known.includes(name)), ...parts.filter((part) => !isPart(part))].map(
    (name) => `${file.path}: ${name}`,
  );
}

const installer: SourceFile = {
  path: "install.sh",
  text: await Bun.file(new URL("../../install.sh", import.meta.url)).text(),
};
const sources = [...readSources().filter(({ path }) => path.startsWith("src/")), installer];

test("every ROBOREV_ variable that the sources name stands in the table of roborev help environment", () => {
  expect(sources.flatMap(unknownVariables)).toEqual([]);
});

test("a variable that is in no table is caught, whole and put together", () => {
  const file = (text: string): SourceFile => ({ path: "src/cli/a.ts", text });
  expect(unknownVariables(file("export const a = process.env.ROBOREV_NEW;"))).toEqual([
    "src/cli/a.ts: ROBOREV_NEW",
  ]);
  expect(unknownVariables(file(`export const a = (b) => env[\`ROBOREV_\${b}\`];`))).toEqual([
    "src/cli/a.ts: ROBOREV_",
  ]);
  expect(unknownVariables(file('export const a = (b) => env["ROBOREV_OTHER_" + b];'))).toEqual([
    "src/cli/a.ts: ROBOREV_OTHER_",
  ]);
  expect(unknownVariables(file("// ROBOREV_NEW\nexport const a = env.ROBOREV_DATA_DIR;"))).toEqual([]);
});

test("every variable of the table is read or set somewhere", () => {
  const code = sources
    .filter(({ path }) => path !== "src/config/environment.ts")
    .map(codeOf)
    .join("\n");
  // Those of a section are put together from its name and its keys.
  const composed = /^ROBOREV_(?:AGENT|DROID)_HOOK_(?!ROBOREV_ADDR)/;
  const unused = environmentVariables.filter(({ name }) => !composed.test(name) && !code.includes(name));
  expect(unused.map(({ name }) => name)).toEqual([]);
  expect(code).toContain("ROBOREV_$");
});
