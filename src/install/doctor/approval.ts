import { join } from "node:path";
import type { Harness } from "../../harness/harness.ts";
import type { Approval } from "../../harness/health.ts";
import { errorMessage } from "../../lib/errors.ts";
import { askProcess } from "../../lib/process.ts";
import { findOnPath } from "../detect.ts";
import type { Environment } from "../options.ts";
import { systemProbe } from "../probe.ts";
import type { Entry } from "./entries.ts";
import { readIfThere, settingOf } from "./off-switch.ts";

/** Whether the user approved our hooks in the harness; `unknown` with what stood in the way of finding out. */
export type ApprovalState = { state: "approved" | "pending" | "changed" } | { state: "unknown"; why: string };

export interface ApprovalQuestion {
  harness: Harness;
  approval: Approval;
  /** The hook file. */
  path: string;
  configDirectory: string;
  /** Our registrations. */
  entries: Entry[];
  env: Environment;
  /** A directory without a project of the harness. */
  cwd: string;
}

const timeoutMs = 5_000;
const unknown = (why: string): ApprovalState => ({ state: "unknown", why });

/** Looks, and changes nothing. */
export async function readApproval(question: ApprovalQuestion): Promise<ApprovalState> {
  const { approval } = question;
  return approval.kind === "hooks-list"
    ? askForHooks(question, approval.args)
    : readAllowList(question, approval);
}

interface ListedHook {
  command?: unknown;
  sourcePath?: unknown;
  trustStatus?: unknown;
}

async function askForHooks(question: ApprovalQuestion, args: readonly string[]): Promise<ApprovalState> {
  const { harness, env, cwd } = question;
  const program = findOnPath(harness.executable, env, systemProbe);
  if (program === undefined) return unknown(`${harness.executable} is not on PATH`);
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "roborev", version: "0" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  let output: string | undefined;
  try {
    const isAnswered = (stdout: string) => answerOf(stdout) !== undefined;
    output = await askProcess([program, ...args], input, isAnswered, { cwd, env, timeoutMs });
  } catch (error) {
    return unknown(errorMessage(error));
  }
  const hooks = output === undefined ? undefined : answerOf(output);
  if (hooks === undefined) return unknown(`${harness.executable} ${args.join(" ")} did not answer`);
  return judge(question, hooks);
}

/** The hooks of the answer to our second message; undefined as long as it is not there, none for an error. */
function answerOf(stdout: string): ListedHook[] | undefined {
  for (const line of stdout.split("\n").slice(0, -1)) {
    const message = tryParse(line) as
      | { id?: unknown; result?: { data?: { hooks?: ListedHook[] }[] } }
      | undefined;
    if (message?.id !== 2) continue;
    const { data } = message.result ?? {};
    return Array.isArray(data) ? data.flatMap(({ hooks }) => (Array.isArray(hooks) ? hooks : [])) : [];
  }
  return undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a line of something else
  }
}

function judge({ harness, path, entries }: ApprovalQuestion, hooks: ListedHook[]): ApprovalState {
  const commands = new Set(entries.map(({ command }) => command));
  const ours = hooks.filter(
    ({ command, sourcePath }) => typeof command === "string" && commands.has(command) && sourcePath === path,
  );
  if (ours.length === 0) return unknown(`${harness.executable} does not list our hooks`);
  const states = ours.map(({ trustStatus }) => trustStatus);
  if (states.every((state) => state === "trusted")) return { state: "approved" };
  if (states.includes("modified")) return { state: "changed" };
  return states.includes("untrusted") ? { state: "pending" } : unknown("its answer is not understood");
}

async function readAllowList(
  { path, configDirectory, entries, env }: ApprovalQuestion,
  { file, bypass }: Extract<Approval, { kind: "allow-list" }>,
): Promise<ApprovalState> {
  const config = await readIfThere(path);
  const variable = env[bypass.variable]?.trim().toLowerCase() ?? "";
  if (["1", "true", "yes", "on"].includes(variable)) return { state: "approved" };
  if (config && settingOf(path, config, bypass.setting) === true) return { state: "approved" };
  const listPath = join(configDirectory, file);
  const list = await readIfThere(listPath);
  if (list === undefined) return { state: "pending" };
  const approvals = settingOf(listPath, list, "approvals");
  if (!Array.isArray(approvals)) return unknown(`${listPath} is not what it should be`);
  const isApproved = ({ event, command }: Entry) =>
    approvals.some((approval) => approval?.event === event && approval?.command === command);
  return { state: entries.every(isApproved) ? "approved" : "pending" };
}
