import type { Reviewer } from "./reviewer.ts";
import { plainStream } from "./stream/plain.ts";

/**
 * The built-in reviewer of the demonstration and the tests: a child process of our own executable (`runTestReviewer`
 * on its standard input), so that it takes the same way as any other. Nobody gets it without asking for it.
 */
export const test: Reviewer = {
  name: "test",
  aliases: [],
  command: "roborev",
  builtIn: ["test-reviewer"],
  argv: () => [],
  environment: (env) => ({ ...env }),
  createParser: plainStream,
};
