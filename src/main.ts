import { hookArguments } from "./hook/command-line.ts";
import { runHook } from "./hook/run.ts";

// The hook runs at every tool call of an agent: nothing that is imported here statically may need `node:` or a package.
const argv = process.argv.slice(2);
const hook = hookArguments(argv);
const exitCode = hook ? await runHook(hook) : await (await import("./cli/main.ts")).main(argv);

// A process with nothing left to do ends by itself, 0.3 ms earlier than by process.exit (Bun 1.4.5). One that is held
// by a pipe that the harness never closes is ended.
process.exitCode = exitCode;
setTimeout(() => process.exit(exitCode), 50).unref();
