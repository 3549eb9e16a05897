import type { Evidence } from "../store/schema.ts";
import { shortRef } from "./job-text.ts";
import { plural, singleLine } from "./text.ts";

/** What the reviewer was given, on one line, and then what this verdict says nothing about. */
export function evidenceLines(evidence: Evidence | undefined): string[] {
  return evidence === undefined
    ? []
    : [sentLine(evidence), ...sandboxLines(evidence), ...unseenLines(evidence)];
}

/** `Sent inline: 2 of 3 files · 1 not seen · 4 excluded · commit 1a2b3c4`. */
function sentLine(evidence: Evidence): string {
  const { files_in_diff: inDiff, files_sent: sent, excluded_files: excluded, reviewed_sha: sha } = evidence;
  const unseen = evidence.unshown_files?.length ?? 0;
  return [
    `${deliveryText(evidence)}: ${sent} of ${plural(inDiff, "file")}`,
    ...(unseen === 0 ? [] : [`${unseen} not seen`]),
    ...(excluded.length === 0 ? [] : [`${excluded.length} excluded`]),
    ...(sha === undefined ? [] : [`commit ${shortRef(singleLine(sha))}`]),
  ].join(" · ");
}

function deliveryText({ delivery, chunks, nonce_ok: isRead }: Evidence): string {
  if (delivery === "file") return `Sent as a file${isRead ? ", proved read" : ""}`;
  return delivery === "chunked" ? `Sent in ${plural(chunks, "part")}` : "Sent inline";
}

const sandboxLines = (evidence: Evidence): string[] =>
  evidence.without_sandbox ? ["Reviewed without the sandbox of the reviewer's program, as configured"] : [];

function unseenLines(evidence: Evidence): string[] {
  const unshown = (evidence.unshown_files ?? []).map(({ path, kind }) => `${singleLine(path)} (${kind})`);
  const excluded = evidence.excluded_files.map(singleLine);
  // A lock file beside its manifest is nothing to tell; most of a change is.
  const isMost = excluded.length > evidence.files_in_diff;
  return [
    ...(unshown.length === 0 ? [] : [`Not seen by the reviewer: ${fewOf(unshown)}`]),
    ...(isMost ? [`Left out by configuration, most of the change: ${fewOf(excluded)}`] : []),
  ];
}

const fewOf = (names: string[]): string =>
  names
    .slice(0, 5)
    .map((name) => name.slice(0, 256))
    .join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
