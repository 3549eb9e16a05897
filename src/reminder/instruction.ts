import { plural } from "../lib/text.ts";
import { agentShellWord, isShowable, quotedPath } from "./quoting.ts";

/** How the shell of an agent reaches the roborev that runs its hook. */
export interface Cli {
  /** Path of that program: the shell may have another PATH, or no roborev on it. */
  executable?: string;
  /** Address that the hook itself was given; absent: the usual one. */
  server?: string;
  /** `process.platform` of the machine. */
  platform: string;
}

/** The skill for this work, as the harness of the session knows it. */
export interface SkillCall {
  /** What the user would type: `/roborev-fix`. */
  call: string;
  /** Value of `--agent`, and what people call that program. */
  agent: string;
  displayName: string;
}

/** Says once that the skill is missing or outdated, with the command that changes it. */
export function skillWarning(
  state: "outdated" | "missing",
  { agent, displayName }: SkillCall,
  cli: Cli,
): string {
  const verb = state === "missing" ? "install" : "update";
  return `The roborev-fix skill for ${displayName} is ${state}: run \`${programOf(cli)} skills ${verb} --agent ${agent}\` first.`;
}

// A shell reads more than words between double quotes, which alone are quotes to every shell.
const commentCommand =
  '`roborev comment --commenter agent-hook --job ID "SUMMARY"`, without double quotes, backticks or dollar signs in the summary';

/** For a session that has the skill; the rest is for one that began before it was there. */
export function skillInstruction({ call }: SkillCall, cli: Cli): string {
  return [
    `Act on the open roborev findings now, before you go on: use the roborev-fix skill (\`${call}\`) for the review job ids named below, and for no others.`,
    "If this session does not know that skill, do for each id in turn what it would:",
    "read the review with `roborev show --job ID --json`;",
    "check every finding against the code, fix what is right and verify the fix;",
    `record it with ${commentCommand};`,
    "and close the review with `roborev close ID`.",
    ...whereabouts(cli),
  ].join(" ");
}

/** What to do about the reviews that the rest of the text names; complete without any skill. */
export function defaultInstruction(cli: Cli, hasSkill?: false): string {
  return [
    "Act on the open roborev findings now, before you go on.",
    ...(hasSkill === false
      ? [
          "Use the roborev command line (`roborev fix --open --list` shows what is open here), for each id in turn:",
        ]
      : [
          "Use the roborev-fix skill if you have it, restricted to the review job ids named below.",
          "Otherwise use the roborev command line (`roborev fix --open --list` shows what is open here), for each id in turn:",
        ]),
    "read the review with `roborev show --job ID --json`;",
    "treat every finding as a claim that still has to be checked against the code;",
    "fix the valid ones and verify the fix with the project's own checks;",
    `record what you did with ${commentCommand};`,
    "and close the review with `roborev close ID`.",
    "A finding that is wrong needs no code change: say why in the comment and close the review.",
    "Leave a review open when a valid finding is unclear or outside your task, and tell the user.",
    ...whereabouts(cli),
  ].join(" ");
}

function whereabouts({ executable, server, platform }: Cli): string[] {
  const told: string[] = [];
  if (executable !== undefined && isShowable(executable)) {
    told.push(`Should your shell not find roborev, it is ${quotedPath(executable)}.`);
  }
  if (server !== undefined && isShowable(server)) {
    told.push(`Add \`--server ${agentShellWord(server, platform)}\` to each of these commands.`);
  }
  return told;
}

/** Asks the owner of a fix session to finish what it was told before; names the newest `maxNamed` of it. */
export function closingInstruction(ids: readonly number[], maxNamed: number): string {
  const named = ids.toSorted((a, b) => b - a).slice(0, maxNamed);
  const more = ids.length > named.length ? `, and ${ids.length - named.length} more` : "";
  const which =
    ids.length === 0
      ? "the roborev reviews that you were reminded of"
      : named.length === 0
        ? `${plural(ids.length, "roborev review")} that you were reminded of`
        : `roborev review ${ids.length === 1 ? "job" : "jobs"} ${named.join(", ")}${more}`;
  return (
    `Finish the fixes that you began before you stop: ${which} ${ids.length === 1 ? "is" : "are"} still open. ` +
    "Comment on each and close it, or tell the user why it has to stay open."
  );
}

/** What ends the fix session. */
export function completion(fixSessionId: string, cli: Cli): string {
  const { server, platform } = cli;
  const address =
    server !== undefined && isShowable(server) ? ` --roborev-server ${agentShellWord(server, platform)}` : "";
  return `When you are done with these reviews, run \`${programOf(cli)} agent-hook fix-done${address} ${fixSessionId}\`.`;
}

/** The program as a word of the agent's shell. */
const programOf = ({ executable, platform }: Cli): string =>
  executable !== undefined && isShowable(executable) ? agentShellWord(executable, platform) : "roborev";
