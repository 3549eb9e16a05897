import { isPlainJson, parseJsonText } from "../edit/json-text.ts";
import { encodeText } from "../edit/tree.ts";
import type { Harness } from "../harness/harness.ts";
import { type HookCommand, handlerOf } from "./command.ts";
import { foreignMoved, planNested, type Wanted } from "./nested-json.ts";
import { isOurs } from "./ownership.ts";
import { surveyHandlers } from "./survey.ts";
import { sameBytes, tryUndo, type UndoRecord } from "./undo.ts";

/** A change of one configuration file, complete before anything is written. Null: there is no file. */
export interface Plan {
  before: Uint8Array | null;
  after: Uint8Array | null;
  changed: boolean;
  /** `before` already held registrations of ours. */
  hadOurs: boolean;
  notices: string[];
}

export interface PlanTarget {
  harness: Harness;
  /** For messages. */
  path: string;
  before: Uint8Array | null;
}

/** Registers `command` for every event of the harness. */
export function planInstall(target: PlanTarget, command: HookCommand, timeoutMs: number): Plan {
  const handler = handlerOf(target.harness, command, timeoutMs);
  return planChange(
    target,
    target.harness.registrations.map((registration) => ({ ...registration, handler })),
  );
}

/** Takes out every registration of ours; a file that is still as we left it gets its former bytes back. */
export function planUninstall(target: PlanTarget, record?: UndoRecord): Plan {
  const { before } = target;
  if (before === null) return { before, after: null, changed: false, hadOurs: false, notices: [] };
  const former = record && tryUndo(record, before);
  if (!former) return planChange(target, []);
  return { before, after: former.bytes, changed: true, hadOurs: true, notices: [] };
}

function planChange({ harness, path, before }: PlanTarget, wanted: Wanted[]): Plan {
  const document = parseJsonText(path, before ?? new Uint8Array());
  const owned = (command: string) => isOurs(harness, command);
  const planned = planNested(document, wanted, owned);
  const bytes = encodeText(planned);
  const unchanged = before === null ? planned.text === document.text : sameBytes(before, bytes);
  const after = unchanged ? before : bytes;
  const notices: string[] = [];
  if (!unchanged && foreignMoved(document, planned, owned)) {
    notices.push(
      `Hooks of other tools in ${path} have moved to another position; ` +
        `${harness.displayName} may ask you to review them again.`,
    );
  }
  if (wanted.length > 0 && document.root && !isPlainJson(document)) {
    notices.push(
      `${path} is not plain JSON (it has comments, trailing commas or a byte order mark); ` +
        `${harness.displayName} may ignore all hooks in such a file.`,
    );
  }
  const hadOurs = surveyHandlers(document, owned).some(({ ours }) => ours);
  return { before, after, changed: !unchanged, hadOurs, notices };
}
