import type { Command } from "./command.ts";

/** A command, loaded only when it is asked for. */
export interface Leaf {
  kind: "command";
  summary: string;
  hidden?: true;
  load(): Promise<Command>;
}

/** Commands below one word. It never runs anything itself: alone, it shows its help. */
export interface Group {
  kind: "group";
  summary: string;
  /** Heading → names, in the order of the help. */
  sections: [heading: string, names: string[]][];
  commands: Map<string, Node>;
  /** Other names of the commands above. */
  aliases: Map<string, string>;
  /** Words of earlier releases, and what replaces them. */
  removed: Map<string, string>;
  examples: string[];
  /** What `roborev help <group>` says beyond the help of the group. */
  topic?: Topic;
  /** What `roborev help <name>` explains besides commands. */
  topics: Map<string, Topic>;
}

export interface Topic {
  summary: string;
  load(): Promise<string>;
}

export type Node = Leaf | Group;

/** A command of the tree. */
export const leaf = (summary: string, load: () => Promise<Command>): Leaf => ({
  kind: "command",
  summary,
  load,
});
/** One that no help lists. */
export const hidden = (summary: string, load: () => Promise<Command>): Leaf => ({
  ...leaf(summary, load),
  hidden: true,
});

/** Commands below one word, in the order of its help. */
export function group(
  summary: string,
  commands: Record<string, Node>,
  more: {
    sections?: Group["sections"];
    aliases?: Record<string, string>;
    removed?: Record<string, string>;
    examples: string[];
    topic?: Topic;
    topics?: Record<string, Topic>;
  },
): Group {
  return {
    kind: "group",
    summary,
    // Maps, because a plain object would also "have" commands like `toString` and `__proto__`.
    commands: new Map(Object.entries(commands)),
    aliases: new Map(Object.entries(more.aliases ?? {})),
    removed: new Map(Object.entries(more.removed ?? {})),
    sections: more.sections ?? [["Commands", Object.keys(commands)]],
    examples: more.examples,
    topics: new Map(Object.entries(more.topics ?? {})),
    ...(more.topic ? { topic: more.topic } : {}),
  };
}
