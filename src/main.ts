import { hookArguments } from "./hook/args.ts";
import { runHook } from "./hook/run.ts";

// The hook runs at every tool call of an agent: nothing that is imported here statically may need `node:` or a package.
const argv = process.argv.slice(2);
const hook = hookArguments(argv);
const exitCode = hook ? await runHook(hook) : await (await import("./cli/main.ts")).main(argv);
// A pipe that the harness never closes would keep the process alive.
process.exit(exitCode);
