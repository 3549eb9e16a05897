import { isAbsolute } from "node:path";
import { UsageError } from "../../lib/errors.ts";

// Hook files are foreign bytes in any encoding: they are handled as "binary" strings, one character per byte.

export const hookNames = ["post-commit", "post-rewrite"] as const;
export type HookName = (typeof hookNames)[number];

/** Rises whenever the text of a block changes, so that older ones are found and replaced. */
const blockVersion = 5;

export const shebang = "#!/bin/sh\n";

const purposes: Record<HookName, string> = {
  "post-commit": "queues a review of each commit",
  "post-rewrite": "keeps reviews with their commits through amend and rebase",
};

/** First line of a block, of any version. */
export const startMarkerPrefix = (hook: HookName) => `# roborev ${hook} hook v`;
export const endMarker = (hook: HookName) => `# roborev ${hook} hook end\n`;

/**
 * Our part of a hook: POSIX sh that runs in any script, under `set -eu` too, and leaves no variable, status, output or
 * (post-rewrite) consumed input behind. Ends with a line break.
 */
export function hookBlock(hook: HookName, binary: string): string {
  const first = `${startMarkerPrefix(hook)}${blockVersion}: ${purposes[hook]}; \`roborev uninit\` removes it\n`;
  const body = hook === "post-commit" ? postCommit(locate(binary)) : postRewrite(locate(binary));
  return Buffer.from(first + body + endMarker(hook)).toString("latin1");
}

/** The whole hook where there was none. */
export const standaloneHook = (hook: HookName, binary: string): string => shebang + hookBlock(hook, binary);

// The parentheses make the function body a subshell: nothing that it sets or exits reaches the script around it.
const postCommit = (locate: string) => `_roborev_hook() (
${locate}  "$ROBOREV" post-commit </dev/null >/dev/null 2>&1
)
_roborev_hook || :
`;

// Git sends the pairs once. They are kept, handed to us, and put back for the rest of the script.
const postRewrite = (locate: string) => `_roborev_remap() (
${locate}  printf '%s\\n' "$_roborev_pairs" | "$ROBOREV" remap --quiet >/dev/null 2>&1
)
if [ ! -t 0 ]; then
  _roborev_pairs=$(cat 2>/dev/null) || :
  if [ -n "$_roborev_pairs" ]; then
    _roborev_remap || :
    exec <<ROBOREV_PAIRS
$_roborev_pairs
ROBOREV_PAIRS
  fi
fi
`;

function locate(binary: string): string {
  if (!isAbsolute(binary) || /[\0-\x1f\x7f]/.test(binary)) {
    throw new UsageError("the program for git hooks must be an absolute path on one line", {
      code: "E_BINARY",
    });
  }
  return `  ROBOREV="${binary.replace(/["\\$`]/g, "\\$&")}"
  [ -x "$ROBOREV" ] || ROBOREV=$(command -v roborev) || exit 0
`;
}

/** The program that a block of ours names, undefined when there is none. */
export function blockBinary(block: string): string | undefined {
  const quoted = /^\s*ROBOREV="((?:[^"\\]|\\.)*)"$/m.exec(Buffer.from(block, "latin1").toString())?.[1];
  return quoted?.replace(/\\(["\\$`])/g, "$1");
}

/** What to put into a hook that is no shell script, by hand. */
export function manualSnippet(hook: HookName, binary: string): string {
  return hook === "post-commit"
    ? `run ${JSON.stringify(binary)} with the argument post-commit, ignoring output and status`
    : `run ${JSON.stringify(binary)} with the arguments remap --quiet and the hook's input, ignoring output and status`;
}
