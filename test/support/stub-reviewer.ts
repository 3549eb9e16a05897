import { writeFileSync } from "node:fs";

/**
 * Writes a program that roborev takes for Claude Code: it knows the options that are required, and otherwise runs this
 * shell text. `say '<text>'` in it answers with a review.
 */
export function stubReviewer(path: string, shell: string): string {
  writeFileSync(
    path,
    `#!/bin/sh
case " $* " in *" --help "*)
  printf '  --setting-sources <x>\\n  --strict-mcp-config\\n  --settings <x>\\n  --tools <x>\\n'; exit 0;;
esac
say() { printf '{"type":"result","subtype":"success","is_error":false,"result":"%s"}\\n' "$1"; }
${shell}
`,
    { mode: 0o755 },
  );
  return path;
}
