import { resolve } from "node:path";
import { define } from "../command.ts";
import { enqueueNewestCommit } from "../hook-commit.ts";
import { givenSocket } from "../server-address.ts";

export const postCommit = define({
  meta: {
    name: "post-commit",
    description:
      "Queue a review of the newest commit. The git hook calls it: it prints nothing and always succeeds.",
  },
  args: {
    repo: { type: "string", valueHint: "path", description: "Repository (default: where you are)" },
    base: { type: "string", valueHint: "ref", description: 'Base for post_commit_review = "branch"' },
    quiet: { type: "boolean", alias: "q", description: "Accepted for older hooks" },
  },
  silent: true,
  json: false,
  details: "What it did is in post-commit.log in the data directory.",
  examples: ["roborev post-commit"],
  async run({ args, flags, env, paths, cwd, now }) {
    await enqueueNewestCommit({
      directory: args.repo === undefined ? cwd() : resolve(cwd(), args.repo),
      paths: paths(),
      socket: givenSocket(flags.server, env),
      base: args.base,
      env,
      now,
    });
    return 0;
  },
});
