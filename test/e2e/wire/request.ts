// What a request to a model says, in whichever API's words.

export type Body = Record<string, unknown>;

interface OfferedTool {
  name?: string;
  type?: string;
  function?: { name?: string };
  tools?: OfferedTool[];
  functionDeclarations?: OfferedTool[];
}

interface Message {
  role?: string;
  type?: string;
  content?: unknown;
  parts?: unknown;
  output?: unknown;
}

const offeredBy = (body: Body): OfferedTool[] => (Array.isArray(body.tools) ? body.tools : []);

/** Names of the tools that a request offers, those in groups too. */
export function toolNames(body: Body): string[] {
  const names = (tool: OfferedTool): string[] => {
    const inner = [...(tool.tools ?? []), ...(tool.functionDeclarations ?? [])].flatMap(names);
    const own = tool.function?.name ?? tool.name ?? tool.type;
    return [...(own === undefined ? [] : [own]), ...inner];
  };
  return offeredBy(body).flatMap(names);
}

/** The name of the group that a tool is offered in; undefined for one that stands alone. */
export const groupOf = (body: Body, name: string): string | undefined =>
  offeredBy(body).find((tool) => tool.tools?.some((inner) => inner.name === name))?.name;

/** The request's text without the tools that it describes. */
export function textOf(body: Body): string {
  const { tools: _, ...rest } = body;
  return JSON.stringify(rest);
}

function messagesOf(body: Body): Message[] {
  const list = body.messages ?? body.input ?? body.contents;
  return Array.isArray(list) ? list : [];
}

const isUser = ({ role }: Message) => role === "user";

/** What the user said first, which tells a sub-agent's conversation from the main one. */
export function openingText(body: Body): string {
  // Codex puts instructions and the surroundings before it, in the user's name.
  const count = "input" in body ? 4 : 1;
  return JSON.stringify(messagesOf(body).filter(isUser).slice(0, count));
}

/** The last thing that the model was told. */
export const closingText = (body: Body): string => JSON.stringify(messagesOf(body).at(-1) ?? "");

/** Every whole string of a request that has a text in it, as the model reads it. */
export function stringsWith(body: unknown, text: string): string[] {
  if (typeof body === "string") return body.includes(text) ? [body] : [];
  if (typeof body !== "object" || body === null) return [];
  return Object.values(body).flatMap((value) => stringsWith(value, text));
}

/** Where in the conversation a text stands first: the message's role and the kind of its part. */
export function placeOf(body: Body, text: string): string | undefined {
  for (const message of messagesOf(body)) {
    const given = message.content ?? message.parts;
    const parts: unknown[] = Array.isArray(given) ? given : [given ?? message.output];
    const part = parts.find((one) => (JSON.stringify(one) ?? "").includes(text));
    if (part !== undefined) return `${message.role ?? message.type}: ${kindOf(part)}`;
  }
  return undefined;
}

function kindOf(part: unknown): string {
  if (typeof part !== "object" || part === null) return "text";
  return "type" in part ? String(part.type) : (Object.keys(part)[0] ?? "nothing");
}
