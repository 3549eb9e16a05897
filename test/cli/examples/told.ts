import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../../..");

/** Names commands of earlier releases. */
const ofOldReleases = ["upgrading.md"];

/** What stands for a value in the pages. */
const values: Record<string, string> = {
  ID: "2f1c9f3e-6a2b-4c56-9d0e-3b7a5a1e8c44",
  SESSION: "8f14e45f",
};

/** Every command that README and the pages beside it tell, in a line or in a block. */
export function toldCommands(): string[] {
  const docs = readdirSync(join(root, "docs")).filter((name) => !ofOldReleases.includes(name));
  const texts = ["README.md", ...docs.map((name) => `docs/${name}`)].map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const inLines = texts.flatMap((text) => [...text.matchAll(/`(roborev [^`]+)`/g)]);
  const blocks = texts.flatMap((text) =>
    [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? ""),
  );
  const inBlocks = blocks.flatMap((block) => [...block.matchAll(/^(roborev .*?)(?: +#.*)?$/gm)]);
  const commands = [...inLines, ...inBlocks].map(([, command]) => command ?? "");
  return [...new Set(commands)].map((command) =>
    command.replace(/\b(ID|SESSION)\b/g, (word) => values[word] ?? word),
  );
}
