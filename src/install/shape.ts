import type { ConfigText } from "../edit/config-text.ts";
import type { TreePath } from "../edit/tree.ts";
import type { ConfigFile, Harness } from "../harness/harness.ts";

/** How registrations stand in one file of a harness. */
export interface Shape {
  language: ConfigText["language"];
  /** Handlers stand in groups that share a matcher; otherwise each is an entry of its own. */
  grouped: boolean;
  /** Where the map of events is. */
  base: TreePath;
  /** Where earlier releases put it, although the harness does not read it there. */
  formerBase?: TreePath;
  /** Events that we register; what stands under others is left alone in whatever shape it is. */
  events: readonly string[];
  /** Number that the document carries as `version`. */
  version?: number;
}

/** `bareEventMap`: of this file, where the harness has several. */
export function shapeOf({ config, registrations }: Harness, bareEventMap = config.bareEventMap): Shape {
  return {
    language: languages[config.format],
    grouped: config.format === "nested-json",
    base: bareEventMap ? [] : ["hooks"],
    ...(bareEventMap ? { formerBase: ["hooks"] } : {}),
    events: registrations.map(({ event }) => event),
    ...(config.version === undefined ? {} : { version: config.version }),
  };
}

const languages: Record<ConfigFile["format"], ConfigText["language"]> = {
  "nested-json": "json",
  "direct-json": "json",
  yaml: "yaml",
};
