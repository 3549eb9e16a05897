import { type KeyDoc, keyDocs, placeholders } from "../../config/docs.ts";
import { entries, paragraphs, section } from "../help.ts";

const headings: [KeyDoc["where"], string][] = [
  ["both", "In both files, the repository's wins"],
  ["global", "In your configuration"],
  ["repo", "In a repository's .roborev.toml"],
  ["hook", "In your configuration, under [agent_hook] or, for Factory Droid, [droid_hook]"],
];

/** Every setting: its name, what it does, what it takes, its default. */
export function configHelp(): string {
  const docs = keyDocs();
  const { workflow, level, reviewer } = placeholders();
  const intro = `Your configuration is config.toml in the data directory (~/.roborev, or $ROBOREV_DATA_DIR). A
    repository's is .roborev.toml at its top. Flags win over the repository's, that over yours, that over the defaults.

    In names, <workflow> is one of ${workflow.join(", ")}; <level> is one of ${level.join(", ")}; <reviewer> is one of
    ${reviewer.join(", ")}.`;
  return [
    ...section("Settings", paragraphs(intro)),
    ...headings.flatMap(([where, heading]) =>
      section(
        heading,
        entries(docs.filter((doc) => doc.where === where).map((doc) => [doc.label, sentence(doc)])),
      ),
    ),
  ].join("\n");
}

function sentence({ description, expected, fallback, needsRestart }: KeyDoc): string {
  const standard = "value" in fallback ? `default ${fallback.value}` : `not set: ${fallback.words}`;
  const restart = needsRestart ? ". Takes effect when the daemon starts" : "";
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}: ${expected} (${standard})${restart}`;
}
