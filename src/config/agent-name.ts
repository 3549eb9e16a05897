const aliases: Record<string, string> = { claude: "claude-code", agent: "cursor", "grok-build": "grok" };

/** The one name of a reviewer: lower case, other spellings replaced. Says nothing about whether it exists. */
export function canonicalAgent(name: string): string {
  const word = name.trim().toLowerCase();
  return Object.hasOwn(aliases, word) ? (aliases[word] as string) : word;
}

/** Name of the global key that holds a reviewer's command line: `claude-code` → `claude_code_cmd`. */
export function commandKey(agent: string): string {
  return `${canonicalAgent(agent).replaceAll("-", "_")}_cmd`;
}
