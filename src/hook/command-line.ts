const isVerbose = (argument: string) => argument === "-v" || argument === "--verbose";

/**
 * The arguments of `agent-hook run`, the program's global flags before it included; undefined for every other command
 * and for a request for help. Every command passes here, hence no more than one loop.
 */
export function hookArguments(argv: readonly string[]): string[] | undefined {
  const args: string[] = [];
  let wanted: string | undefined = "agent-hook";
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] as string;
    if (wanted === undefined) {
      if (argument === "--help" || argument === "-h") return undefined;
      args.push(argument);
    } else if (argument === wanted) wanted = wanted === "run" ? undefined : "run";
    else if (isVerbose(argument) || argument.startsWith("--server=")) args.push(argument);
    else if (argument === "--server") args.push(argument, argv[++at] ?? "");
    else return undefined;
  }
  return wanted === undefined ? args : undefined;
}
