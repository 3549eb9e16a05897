import { expect, test } from "bun:test";
import { recogniseCommit } from "../../src/lib/shell-commit.ts";

/** A command, the verb it is recognised by (undefined: not at all), and the directory steps it takes. */
export type CommitRow = [command: string, verb: string | undefined, ...directories: string[]];

/** One test for each row. */
export function checkCommits(rows: CommitRow[]): void {
  test.each(rows)("%j", (command, verb, ...directories) => {
    expect(recogniseCommit(command)).toEqual(verb === undefined ? undefined : { verb, directories });
  });
}
