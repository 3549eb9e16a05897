import { define } from "../../src/cli/command.ts";
import type { Group, Leaf } from "../../src/cli/node.ts";
import { RoborevError } from "../../src/lib/errors.ts";

const install = define({
  meta: { name: "install", description: "Install things." },
  args: {
    target: { type: "positional", required: false, description: "What" },
    agent: { type: "string", description: "Who" },
    branch: { type: "string", valueHint: "name", description: "Where" },
    message: { type: "string", alias: "m", description: "Text" },
    quiet: { type: "boolean", alias: "q", description: "Silence" },
    daemon: { type: "boolean", default: true, description: "With it", negativeDescription: "Without it" },
    limit: { type: "string", default: "50", description: "How many" },
    kind: { type: "enum", options: ["a", "b"], description: "Which" },
  },
  optionalValue: { branch: "HEAD" },
  removedFlags: { "codex-config": "Use --agent codex --config <path>." },
  exclusive: [{ names: ["branch", "target"], hint: "Write --branch=<name>." }, { names: ["agent", "quiet"] }],
  requires: [{ names: ["kind", "agent"] }],
  examples: ["roborev install x"],
  async run({ args, given, flags, out }) {
    out.json({ args, given: [...given].sort(), flags });
    return 0;
  },
});

const words = define({
  meta: { name: "words", description: "Say words." },
  args: {},
  rest: { name: "word", description: "Words", required: true },
  json: false,
  examples: ["roborev words a b"],
  async run({ rest, out }) {
    out.print(rest.join("|"));
    return 3;
  },
});

const broken = define({
  meta: { name: "broken", description: "Fail." },
  args: { how: { type: "positional", required: false } },
  examples: ["roborev broken"],
  async run({ args }): Promise<number> {
    if (args.how === "known") throw new RoborevError("it broke", { code: "E_BROKE", hint: "Mend it." });
    throw new TypeError("a\nbug\x1b[31m");
  },
});

const silent = define({
  meta: { name: "silent", description: "Never speak." },
  args: {},
  silent: true,
  examples: ["roborev silent"],
  async run(): Promise<number> {
    throw new Error("unheard");
  },
});

const tidy = define({
  meta: { name: "tidy", description: "Tidy up." },
  args: {},
  tidiesUp: true,
  examples: ["roborev tidy"],
  async run() {
    return 4;
  },
});

const leaf = (command: typeof install): Leaf => ({
  kind: "command",
  summary: command.meta.description,
  load: async () => command,
});
const group = (commands: Record<string, Leaf | Group>, removed: Record<string, string> = {}): Group => ({
  kind: "group",
  summary: "Does things",
  sections: [["Commands", Object.keys(commands)]],
  commands: new Map(Object.entries(commands)),
  aliases: new Map([["setup", "install"]]),
  removed: new Map(Object.entries(removed)),
  examples: ["roborev install"],
  topics: new Map(),
});
/** Commands with flags of every kind. */
export const root = group({
  install: leaf(install),
  words: leaf(words),
  broken: leaf(broken),
  silent: leaf(silent),
  tidy: leaf(tidy),
  nest: group({ words: leaf(words) }, { old: "Use roborev words." }),
});
