/** A prompt taken apart as its reader takes it apart: what stands inside its data blocks, and everything else. */
export function dataBlocks(prompt: string): { outside: string; blocks: string[] } {
  const token = /^Boundary token of this review: (\S+)\n/.exec(prompt)?.[1] ?? "";
  const outside: string[] = [];
  const blocks: string[] = [];
  let block: string[] | undefined;
  for (const line of prompt.split("\n")) {
    if (block && line.startsWith(`[end ${token}`)) {
      blocks.push(block.join("\n"));
      block = undefined;
    }
    if (block) block.push(line);
    else outside.push(line.replaceAll(token, "TOKEN"));
    if (line.startsWith(`[data ${token}: `)) block = [];
  }
  if (block) throw new Error("a data block has no end");
  const text = outside.join("\n");
  // Counts of lines and the fence's length follow the data; its marker line is told apart by the token.
  return { outside: text.replace(/\d+ lines? added/g, "N lines added"), blocks };
}
