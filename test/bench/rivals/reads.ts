// What a Bun program takes at the least that reads a payload as the hook must, until its end or a limit, and answers.
const chunks: Uint8Array[] = [];
const reader = Bun.stdin.stream().getReader();
for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
const decoder = new TextDecoder();
const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
const { tool_input: input } = JSON.parse(text) as { tool_input: { command: string } };
console.log(input.command.includes("git") ? "git" : "{}");

export {};
