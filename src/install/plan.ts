import { type ConfigText, isPlain, parseConfigText } from "../edit/config-text.ts";
import { encodeText } from "../edit/tree.ts";
import type { Harness } from "../harness/harness.ts";
import { entryOf, type HookCommand } from "./command.ts";
import { isOurs } from "./ownership.ts";
import { foreignMoved, planRegistrations, type Wanted } from "./registrations.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { mapsOf, surveyHandlers } from "./survey.ts";
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
  /** Default: that of the harness's own file. */
  shape?: Shape;
}

/** Registers `command` for every event of the harness. */
export function planInstall(target: PlanTarget, command: HookCommand, timeoutMs: number): Plan {
  const { harness } = target;
  const isGrouped = (target.shape ?? shapeOf(harness)).grouped;
  const wanted = harness.registrations.map((registration): Wanted => {
    const { event, matcher } = registration;
    const entry = entryOf(harness, registration, command, timeoutMs);
    return { event, ...(isGrouped && matcher !== undefined ? { matcher } : {}), entry };
  });
  return planChange(target, wanted);
}

/** Takes out every registration of ours; a file that is still as we left it gets its former bytes back. */
export function planUninstall(target: PlanTarget, record?: UndoRecord): Plan {
  const { before } = target;
  if (before === null) return { before, after: null, changed: false, hadOurs: false, notices: [] };
  const former = record && tryUndo(record, before);
  if (!former) return planChange(target, []);
  return { before, after: former.bytes, changed: true, hadOurs: true, notices: [] };
}

/** Whether hooks that are not ours stand in the file, and so the harness reads it for their sake. */
export function holdsOthers({ harness, path, before, shape = shapeOf(harness) }: PlanTarget): boolean {
  const document = parseConfigText(shape.language, path, before ?? new Uint8Array());
  return surveyHandlers(document, shape, ownedBy(harness)).some(({ ours }) => !ours);
}

const ownedBy = (harness: Harness) => (command: string) => isOurs(harness, command);

function planChange({ harness, path, before, shape = shapeOf(harness) }: PlanTarget, wanted: Wanted[]): Plan {
  const document = parseConfigText(shape.language, path, before ?? new Uint8Array());
  const owned = ownedBy(harness);
  const planned = planRegistrations(document, shape, wanted, owned);
  const bytes = encodeText(planned);
  const unchanged = before === null ? planned.text === document.text : sameBytes(before, bytes);
  const after = unchanged ? before : bytes;
  const notices: string[] = [];
  if (!unchanged && foreignMoved(document, planned, shape, owned)) {
    notices.push(
      `Hooks of other tools in ${path} have moved to another position; ` +
        `${harness.displayName} may ask you to review them again.`,
    );
  }
  if (wanted.length > 0 && document.root && !isPlain(document, harness.config.comments === true)) {
    notices.push(
      `${path} is not plain JSON (it has comments, trailing commas or a byte order mark); ` +
        `${harness.displayName} may ignore all hooks in such a file.`,
    );
  }
  return { before, after, changed: !unchanged, hadOurs: hasOurs(document, shape, owned), notices };
}

function hasOurs(document: ConfigText, shape: Shape, owned: (command: string) => boolean): boolean {
  return mapsOf(document, shape).some((base) =>
    surveyHandlers(document, shape, owned, base).some(({ ours }) => ours),
  );
}
