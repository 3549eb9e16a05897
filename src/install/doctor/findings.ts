import type { Harness } from "../../harness/harness.ts";
import type { ApprovalState } from "./approval.ts";
import { type Entry, isWrapper } from "./entries.ts";
import type { ProgramState } from "./program.ts";

/** Something to know of an agent. Only a `problem` makes the doctor fail. */
export interface Finding {
  code: string;
  severity: "problem" | "note";
  message: string;
  /** What repairs it: a command line, or an instruction. */
  repair?: string;
  /** Installing again repairs it. */
  fixable?: true;
}

/** What was seen of one agent. */
export interface Survey {
  harness: Harness;
  detected: boolean;
  /** The user asked about this very agent. */
  asked: boolean;
  path: string;
  /** An install into this file was made and never taken back. */
  recorded: boolean;
  /** Why the file cannot be read or edited. */
  trouble?: string;
  /** Other files of the agent in which hooks of ours stand, although it does not read those now. */
  strays: string[];
  /** All commands of the file, and what install would make of them. */
  before: Entry[];
  after: Entry[];
  /** Install would change the file. */
  changes: boolean;
  /** What install would tell of the file as it is. */
  remarks: string[];
  /** The program that our registrations name. */
  program?: { path: string; is: ProgramState };
  /** What is wrong with the command when it is tried out. */
  trial?: string;
  /** Other agents whose registrations of ours this one runs too. */
  borrowed: string[];
  switchedOff?: string;
  approval?: ApprovalState;
  /** The command line that installs it again. */
  install: string;
}

/** What is to be said of an agent, the gravest first. */
export function findingsOf(survey: Survey): Finding[] {
  const { trouble, path, install } = survey;
  if (trouble !== undefined) {
    return [problem("unreadable", trouble, `Repair ${path} by hand, then: ${install}`)];
  }
  const ours = oursOf(survey.before);
  if (ours.length === 0) {
    const needed = borrowed(survey);
    const missing = needed.length === 0 && survey.strays.length === 0 ? [absent(survey)] : needed;
    return [...strays(survey), ...missing, ...wrappers(survey, ours)];
  }
  const broken = [...programFindings(survey), ...driftFindings(survey), ...strays(survey)];
  return [
    ...switchedOff(survey),
    ...broken,
    ...(broken.length === 0 ? trial(survey) : []),
    ...approval(survey),
    ...wrappers(survey, ours),
    ...borrowed(survey),
    ...survey.remarks.map((remark) => note("file", remark)),
  ];
}

const oursOf = (entries: readonly Entry[]) => entries.filter(({ ours }) => ours);
const problem = (code: string, message: string, repair: string): Finding => ({
  code,
  severity: "problem",
  message,
  repair,
});
const fixable = (code: string, message: string, repair: string): Finding => ({
  ...problem(code, message, repair),
  fixable: true,
});
const note = (code: string, message: string, repair?: string): Finding => ({
  code,
  severity: "note",
  message,
  ...(repair === undefined ? {} : { repair }),
});

function absent({ recorded, asked, path, install }: Survey): Finding {
  if (recorded) {
    return fixable(
      "dropped",
      `hooks were installed and are not in ${path} any more; something rewrote it`,
      install,
    );
  }
  return asked
    ? fixable("not-installed", `there are no hooks of roborev in ${path}`, install)
    : note("not-installed", "its hooks are not installed", install);
}

function programFindings({ program, install }: Survey): Finding[] {
  if (program === undefined) return [];
  const { path, is } = program;
  switch (is.state) {
    case "ours":
      return [];
    case "dead":
      return [fixable("dead-program", `its hooks run ${path}, which ${is.why}`, install)];
    case "other":
      return [
        fixable("other-program", `its hooks run ${path}, which is ${is.version}, not this release`, install),
      ];
    case "open":
      return [
        problem(
          "open-program",
          `its hooks run ${path}, and every user of this machine can change ${is.path}`,
          `chmod o-w ${is.path}`,
        ),
      ];
  }
}

function strays({ strays, path, install }: Survey): Finding[] {
  if (strays.length === 0) return [];
  return [
    fixable("stray", `hooks of roborev stand in ${strays.join(" and ")}, but it reads ${path}`, install),
  ];
}

/** Each way in which the file differs from what install would write, with the events it concerns. */
function driftFindings(survey: Survey): Finding[] {
  const { before, after, changes, path, install } = survey;
  if (!changes) return [];
  const found = new Map<string, string[]>();
  const add = (code: string, event: string) => found.set(code, [...(found.get(code) ?? []), event]);
  const ours = oursOf(before);
  const wanted = oursOf(after);
  for (const entry of wanted) {
    const [first, second] = ours.filter(({ event }) => event === entry.event);
    if (first === undefined) add("missing", entry.event);
    else if (second !== undefined) add("duplicate", entry.event);
    else for (const code of differences(first, entry)) add(code, entry.event);
  }
  for (const { event } of ours) {
    if (!wanted.some((entry) => entry.event === event)) add("surplus", event);
  }
  // A dead or outdated program is told as such, and is the difference of the commands.
  const told = survey.program !== undefined && survey.program.is.state !== "ours";
  if (told) found.delete("outdated-command");
  if (found.size === 0) {
    return told ? [] : [fixable("differs", `${path} is not as install would write it`, install)];
  }
  return [...found].map(([code, events]) => {
    const names = [...new Set(events)];
    const are = names.length === 1 ? "is" : "are";
    return fixable(code, `${names.join(", ")} ${are} ${drifts[code]} in ${path}`, install);
  });
}

const drifts: Record<string, string> = {
  missing: "not registered",
  duplicate: "registered more than once",
  surplus: "registered without need",
  "outdated-command": "registered with another command than install writes",
  "outdated-matcher": "registered with another matcher than install writes",
  "outdated-timeout": "registered with another time-out than the rest",
};

function differences(actual: Entry, wanted: Entry): string[] {
  return [
    ...(actual.command === wanted.command ? [] : ["outdated-command"]),
    ...(sameMatcher(actual.matcher, wanted.matcher) ? [] : ["outdated-matcher"]),
    ...(actual.timeout === wanted.timeout ? [] : ["outdated-timeout"]),
  ];
}

const sameMatcher = (actual: unknown, wanted: unknown) =>
  actual === wanted || (wanted === undefined && (actual === "" || actual === "*"));

const trial = ({ trial, install }: Survey) => (trial === undefined ? [] : [problem("trial", trial, install)]);

function switchedOff({ switchedOff }: Survey): Finding[] {
  if (switchedOff === undefined) return [];
  return [problem("switched-off", `it runs no hooks: ${switchedOff}`, "Take that setting out.")];
}

function approval({ approval, harness }: Survey): Finding[] {
  if (approval === undefined || approval.state === "approved") return [];
  const how = harness.afterInstall ?? `Approve them in ${harness.displayName}.`;
  if (approval.state === "unknown") {
    return [note("approval-unknown", `whether its hooks are approved is not known: ${approval.why}`, how)];
  }
  return approval.state === "changed"
    ? [problem("approval-changed", "its hooks have changed since you approved them and are skipped", how)]
    : [problem("not-approved", "its hooks are not approved yet and are skipped", how)];
}

/** With ours beside it every event is counted twice; alone it is somebody's decision. */
function wrappers({ before, path }: Survey, ours: readonly Entry[]): Finding[] {
  const wrapper = before.find(isWrapper);
  if (wrapper === undefined) return [];
  const what = `${wrapper.event} runs roborev through a command that install does not manage: ${wrapper.command}`;
  return ours.length > 0
    ? [problem("wrapper", `${what}, so that events count twice`, `Remove that command from ${path} by hand.`)]
    : [note("wrapper", what)];
}

function borrowed({ borrowed, before, detected, install }: Survey): Finding[] {
  if (borrowed.length === 0 || !detected) return [];
  const what = `it runs the hooks of ${borrowed.join(" and ")} as well, and those stay silent there`;
  return oursOf(before).length > 0
    ? [note("borrowed", what)]
    : [fixable("borrowed", `${what}; it needs its own`, install)];
}
