import { existsSync } from "node:fs";
import { readTarget } from "../../fs/target.ts";
import type { Harness } from "../../harness/harness.ts";
import { harnessHealth } from "../../harness/health.ts";
import { findHarness } from "../../harness/registry.ts";
import { configDirectory, homeOf } from "../../lib/config-directory.ts";
import { errorMessage, RoborevError, UsageError } from "../../lib/errors.ts";
import { recordStem, settle } from "../apply.ts";
import { resolveBinary } from "../binary.ts";
import { isDetected } from "../detect.ts";
import type { InstallOptions, SelectionOptions } from "../options.ts";
import { choosePlace, type Place, placesOf } from "../places.ts";
import { planInstall } from "../plan.ts";
import { systemProbe } from "../probe.ts";
import { checkInstall } from "../request.ts";
import { selfTest } from "../self-test.ts";
import { readApproval } from "./approval.ts";
import { type Choice, choiceOf, installCommandLine } from "./choice.ts";
import { type Entry, readEntries } from "./entries.ts";
import type { Survey } from "./findings.ts";
import { findOffSwitch } from "./off-switch.ts";
import { programState, type Self } from "./program.ts";

/** What the doctor wants to know of the world. */
export interface DoctorOptions
  extends Pick<InstallOptions, "agent" | "env" | "cwd" | "dataDir" | "socketPath" | "execPath"> {
  version: string;
  /** Not the compiled program: there is no release to compare with. */
  fromSource: boolean;
}

/** How a repair installs: what was chosen before, as far as it still works. */
export interface RepairOptions {
  agent: string;
  timeout: string;
  command?: string;
  binary?: string;
}

export interface Examined {
  survey: Survey;
  repair: RepairOptions;
}

/** Looks at one agent. Changes nothing; starts the registered command and, where needed, the agent's own program. */
export async function surveyAgent(harness: Harness, options: DoctorOptions): Promise<Examined> {
  const { env, cwd } = options;
  const selection = selectionOf(harness, options);
  const survey: Survey = {
    harness,
    detected: isDetected(harness, env, cwd, systemProbe),
    asked: options.agent?.trim().toLowerCase() === harness.name,
    path: placesOf(harness, selection)[0].path,
    recorded: false,
    strays: [],
    before: [],
    after: [],
    changes: false,
    remarks: [],
    borrowed: await borrowedFrom(harness, options),
    install: `roborev agent-hook install --agent ${harness.name}`,
  };
  let repair: RepairOptions = { agent: harness.name, timeout: "10s" };
  try {
    const place = await choosePlace(harness, selection);
    survey.path = place.path;
    const bytes = await readPlaces(survey, place, selection);
    const ours = survey.before.filter((entry) => entry.ours);
    if (ours.length === 0) return { survey, repair };
    const choice = choiceOf(harness, ours);
    if (choice.program !== undefined) {
      const self: Self = {
        execPath: options.execPath,
        version: options.version,
        fromSource: options.fromSource,
      };
      survey.program = { path: choice.program, is: await programState(choice.program, env, self) };
    }
    repair = repairOf(harness, choice, survey, options);
    survey.install = installCommandLine(harness, repair);
    plan(survey, place, repair, bytes, options);
    await lookFurther(survey, ours, options);
  } catch (error) {
    survey.trouble = errorMessage(error);
  }
  return { survey, repair };
}

const selectionOf = ({ name }: Harness, { env, cwd, dataDir }: DoctorOptions): SelectionOptions => ({
  agent: name,
  dryRun: true,
  env,
  cwd,
  dataDir,
});

/** Reads the file that counts, which is returned, and sees whether hooks of ours stand in another. */
async function readPlaces(
  survey: Survey,
  chosen: Place,
  selection: SelectionOptions,
): Promise<Uint8Array | null> {
  const { harness } = survey;
  let chosenBytes: Uint8Array | null = null;
  for (const place of placesOf(harness, selection)) {
    const { target, result: entries } = await settle(place.path, (bytes) =>
      readEntries(harness, place, bytes),
    );
    survey.recorded ||= existsSync(`${recordStem(selection.dataDir, target.path)}.json`);
    if (place.path === chosen.path) {
      survey.before = entries;
      chosenBytes = target.bytes;
    } else if (entries.some(({ ours }) => ours)) survey.strays.push(place.path);
  }
  return chosenBytes;
}

/** A program that is gone, or of another release, is replaced by what install registers; other choices are kept. */
function repairOf(
  harness: Harness,
  choice: Choice,
  { program }: Survey,
  options: DoctorOptions,
): RepairOptions {
  const { timeout, command } = choice;
  const works = program?.is.state === "ours" || program?.is.state === "open";
  const base = { agent: harness.name, timeout };
  if (!works || program === undefined) return base;
  if (command !== undefined) return isAccepted(command, base, options) ? { ...base, command } : base;
  return program.path === defaultBinary(options) ? base : { ...base, binary: program.path };
}

function isAccepted(command: string, repair: RepairOptions, options: DoctorOptions): boolean {
  try {
    checkInstall({ ...options, ...repair, command, dryRun: true });
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

function defaultBinary({ env, cwd, execPath }: DoctorOptions): string | undefined {
  try {
    return resolveBinary({ env, cwd, execPath, probe: systemProbe }).path;
  } catch (error) {
    if (error instanceof RoborevError) return undefined; // from source, with no program to register
    throw error;
  }
}

function plan(
  survey: Survey,
  place: Place,
  repair: RepairOptions,
  before: Uint8Array | null,
  options: DoctorOptions,
): void {
  const { harness, program } = survey;
  survey.after = survey.before;
  try {
    const request = checkInstall({ ...options, ...repair, dryRun: true });
    const planned = planInstall({ harness, before, ...place }, request.command(harness), request.timeoutMs);
    survey.changes = planned.changed;
    if (!planned.changed) survey.remarks = planned.notices;
    survey.after = readEntries(harness, place, planned.after);
  } catch (error) {
    // Without a program to register there is nothing to compare with; that the registered one is gone is told already.
    if (!(error instanceof RoborevError) || error.code !== "E_BINARY" || program === undefined) throw error;
  }
}

async function lookFurther(survey: Survey, ours: Entry[], options: DoctorOptions): Promise<void> {
  const { harness, path, program } = survey;
  const { env, cwd } = options;
  const health = harnessHealth[harness.name];
  const directory = configDirectory(harness, env, cwd);
  const switchedOff = await findOffSwitch(health?.offSwitches ?? [], path, directory);
  if (switchedOff !== undefined) survey.switchedOff = switchedOff;
  const [first] = ours;
  if (first !== undefined && program?.is.state !== "dead") {
    const trial = await selfTest({ harness, command: first.command, env, cwd });
    if (trial !== undefined) survey.trial = trial;
  }
  if (health?.approval === undefined || !survey.detected || switchedOff !== undefined) return;
  survey.approval = await readApproval({
    harness,
    approval: health.approval,
    path,
    configDirectory: directory,
    entries: ours,
    env,
    cwd: homeOf(env),
  });
}

/** Agents whose file this one runs besides its own, as far as our hooks are in it. */
async function borrowedFrom(harness: Harness, options: DoctorOptions): Promise<string[]> {
  const found: string[] = [];
  for (const name of harnessHealth[harness.name]?.alsoLoads ?? []) {
    const other = findHarness(name);
    if (other === undefined) continue;
    const [place] = placesOf(other, selectionOf(other, options));
    const entries = await readTarget(place.path)
      .then(({ bytes }) => readEntries(other, place, bytes))
      .catch((error: unknown) => {
        if (error instanceof RoborevError) return []; // told where that agent is looked at
        throw error;
      });
    if (entries.some(({ ours }) => ours)) found.push(other.displayName);
  }
  return found;
}
