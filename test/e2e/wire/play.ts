/** A tool that the model calls; `group`: the tool that it is part of (Codex: spawn_agent and its like). */
export interface Call {
  name: string;
  input: Record<string, unknown>;
  group?: string;
}

export type Block = { type: "text"; text: string } | { type: "call"; id: string; call: Call };

/** What the wire formats put into their own words. */
export interface Play {
  number: number;
  model: unknown;
  stream: boolean;
  blocks: Block[];
}

export const textOf = (blocks: Block[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
