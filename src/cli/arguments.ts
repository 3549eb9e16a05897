import { type ArgDef, type ArgsDef, parseArgs } from "citty";
import { UsageError } from "../lib/errors.ts";
import { singleLine, truncateUtf8 } from "../lib/text.ts";
import type { Command, GlobalFlags } from "./command.ts";
import { nearest } from "./nearest.ts";

export const globalArgs = {
  server: { type: "string", valueHint: "address", description: "Daemon to talk to, as unix:///path" },
  verbose: { type: "boolean", alias: "v", description: "Say more on standard error" },
  json: { type: "boolean", description: "Print JSON" },
  help: { type: "boolean", alias: "h", description: "Show this help" },
} as const satisfies ArgsDef;

export interface ParsedArguments {
  values: Record<string, string | boolean | undefined>;
  given: Set<string>;
  rest: string[];
  flags: GlobalFlags;
  help: boolean;
}

interface FlagTable {
  flags: Map<string, ArgDef>;
  shorts: Map<string, string>;
}

/** Other names of a flag. */
export const aliasesOf = (def: ArgDef): string[] => ("alias" in def ? [def.alias ?? []].flat() : []);

/** Cleans what a user typed for an error message. */
export const typed = (text: string): string => truncateUtf8(singleLine(text), 120);

function flagTable(command: Command): FlagTable {
  const flags = new Map<string, ArgDef>();
  const shorts = new Map<string, string>();
  for (const [name, def] of [...Object.entries(globalArgs), ...Object.entries(command.args)]) {
    if (def.type === "positional") continue;
    if (name === "json" && command.json === false) continue;
    flags.set(name, def);
    for (const alias of aliasesOf(def)) shorts.set(alias, name);
  }
  return { flags, shorts };
}

/**
 * Reads the arguments of one command strictly: citty alone accepts unknown flags, missing values, repeated flags
 * and any number of positionals. The tokens are checked here and handed to citty in one unambiguous spelling.
 */
export function parseArguments(command: Command, argv: readonly string[]): ParsedArguments {
  const scan = scanTokens(command, flagTable(command), argv);
  const positionals = Object.entries(command.args).filter(([, def]) => def.type === "positional");
  positionals.forEach(([name], index) => {
    if (index < scan.positionals.length) scan.given.add(name);
  });
  const rest = scan.positionals.slice(positionals.length);
  if (!scan.given.has("help")) checkPositionals(command, positionals, scan.positionals, rest);
  const optional = Object.fromEntries(positionals.map(([name, def]) => [name, { ...def, required: false }]));
  const canonical = [...scan.canonical, "--", ...scan.positionals];
  const parsed = parseArgs(canonical, { ...globalArgs, ...command.args, ...optional } as ArgsDef);
  const values: ParsedArguments["values"] = {};
  for (const [name, def] of Object.entries(command.args)) {
    const value = parsed[name] as string | boolean | undefined;
    values[name] = def.type === "boolean" ? (value ?? def.default ?? false) === true : value;
  }
  if (command.rest && rest.length > 0) scan.given.add(command.rest.name);
  if (!scan.given.has("help")) checkPairs(command, scan.given);
  return {
    values,
    given: scan.given,
    rest,
    help: parsed.help === true,
    flags: {
      server: parsed.server as string | undefined,
      verbose: parsed.verbose === true,
      json: parsed.json === true,
    },
  };
}

interface Scan {
  canonical: string[];
  positionals: string[];
  given: Set<string>;
}

function scanTokens(command: Command, table: FlagTable, argv: readonly string[]): Scan {
  const scan: Scan = { canonical: [], positionals: [], given: new Set() };
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] as string;
    if (token === "--") {
      scan.positionals.push(...argv.slice(index + 1));
      break;
    }
    if (token === "-" || !token.startsWith("-")) {
      scan.positionals.push(token);
      continue;
    }
    if (!token.startsWith("--")) {
      index += scanShort(command, table, scan, token, argv[index + 1]);
      continue;
    }
    const equals = token.indexOf("=");
    const name = equals < 0 ? token.slice(2) : token.slice(2, equals);
    const inline = equals < 0 ? undefined : token.slice(equals + 1);
    index += addFlag(command, table, scan, name, inline, argv[index + 1]);
  }
  return scan;
}

/** `-qv`, `-m value`, `-mvalue`; returns how many further tokens were used. */
function scanShort(command: Command, table: FlagTable, scan: Scan, token: string, next?: string): number {
  for (let at = 1; at < token.length; at++) {
    const name = table.shorts.get(token[at] as string);
    if (name === undefined) throw unknownFlag(command, table, `-${token[at]}`);
    if (table.flags.get(name)?.type === "boolean") {
      addFlag(command, table, scan, name, undefined, undefined);
      continue;
    }
    const glued = token.slice(at + 1).replace(/^=/, "");
    return addFlag(command, table, scan, name, glued === "" ? undefined : glued, next);
  }
  return 0;
}

function addFlag(
  command: Command,
  table: FlagTable,
  scan: Scan,
  name: string,
  inline: string | undefined,
  next: string | undefined,
): number {
  const positive = name.startsWith("no-") ? name.slice(3) : "";
  const negated = table.flags.get(positive);
  if (negated && "negativeDescription" in negated && !table.flags.has(name)) {
    if (inline !== undefined) throw new UsageError(`--${name} takes no value`);
    remember(scan, positive);
    scan.canonical.push(`--no-${positive}`);
    return 0;
  }
  const def = table.flags.get(name);
  if (def === undefined) throw unknownFlag(command, table, `--${name}`);
  remember(scan, name);
  if (def.type === "boolean") {
    if (inline !== undefined && inline !== "true" && inline !== "false") {
      throw new UsageError(`--${name} is a switch, it takes no value`);
    }
    scan.canonical.push(inline === "false" ? `--no-${name}` : `--${name}`);
    return 0;
  }
  const bare = command.optionalValue?.[name];
  const usesNext = inline === undefined && bare === undefined;
  if (usesNext && (next === undefined || /^-(?!\d|$)/.test(next))) {
    throw new UsageError(`--${name} needs a value`, {
      ...(next?.startsWith("-") ? { hint: `Write --${name}=<value> for one that begins with a dash.` } : {}),
    });
  }
  const value = inline ?? bare ?? (next as string);
  const options = "options" in def ? def.options : undefined;
  if (options && !options.includes(value)) {
    const near = nearest(value, options);
    throw new UsageError(`--${name} cannot be ${typed(value) || "empty"}`, {
      hint: `${near ? `Did you mean ${near}? ` : ""}Use one of: ${options.join(", ")}.`,
    });
  }
  scan.canonical.push(`--${name}=${value}`);
  return usesNext ? 1 : 0;
}

function remember(scan: Scan, name: string): void {
  if (scan.given.has(name)) throw new UsageError(`--${name} is given more than once`);
  scan.given.add(name);
}

function unknownFlag(command: Command, table: FlagTable, flag: string): UsageError {
  const removed = Object.hasOwn(command.removedFlags ?? {}, flag.slice(2))
    ? command.removedFlags?.[flag.slice(2)]
    : undefined;
  const near = flag.startsWith("--") ? nearest(flag.slice(2), spellings(command, table)) : undefined;
  const hint = removed ?? (near ? `Did you mean --${near}?` : undefined);
  return new UsageError(`unknown flag: ${typed(flag)}`, hint ? { hint } : {});
}

/** What may be meant by a flag that does not exist: all that are shown in the help, as they are shown. */
const spellings = (command: Command, { flags }: FlagTable): string[] =>
  [...flags]
    .filter(([name]) => !command.hiddenFlags?.includes(name))
    .flatMap(([name, def]) => ("negativeDescription" in def ? [name, `no-${name}`] : [name]));

function checkPositionals(
  command: Command,
  declared: [string, ArgDef][],
  given: readonly string[],
  rest: readonly string[],
): void {
  for (const [index, [name, def]] of declared.entries()) {
    if (def.required !== false && index >= given.length) throw new UsageError(`<${name}> is missing`);
  }
  if (command.rest) {
    if (command.rest.required && rest.length === 0) throw new UsageError(`<${command.rest.name}> is missing`);
  } else if (rest.length > 0) {
    throw new UsageError(`unexpected argument: ${typed(rest[0] as string)}`);
  }
}

function checkPairs(command: Command, given: ReadonlySet<string>): void {
  const label = (name: string) =>
    command.args[name]?.type === "positional" || command.rest?.name === name ? `<${name}>` : `--${name}`;
  for (const { names, hint } of command.exclusive ?? []) {
    if (names.every((name) => given.has(name))) {
      throw new UsageError(
        `${label(names[0])} and ${label(names[1])} cannot be used together`,
        hint ? { hint } : {},
      );
    }
  }
  for (const { names, hint } of command.requires ?? []) {
    if (given.has(names[0]) && !given.has(names[1])) {
      throw new UsageError(`${label(names[0])} needs ${label(names[1])}`, hint ? { hint } : {});
    }
  }
}

/** A whole number from a flag or positional. */
export function wholeNumber(text: string, label: string, range: { min: number; max?: number }): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= range.min && value <= (range.max ?? Number.MAX_SAFE_INTEGER))) {
    const upTo = range.max === undefined ? "" : ` and at most ${range.max}`;
    throw new UsageError(
      `${label} must be a whole number of at least ${range.min}${upTo}, got ${typed(text) || "nothing"}`,
    );
  }
  return value;
}
