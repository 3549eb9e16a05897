import { DaemonError } from "../../client/transport.ts";
import type { Checkout } from "../../git/checkout.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { plural, singleLine } from "../../lib/text.ts";
import type { Context } from "../command.ts";
import { clientFor } from "../connect.ts";
import { goneRepos, movedHere, takeAlong } from "../gone-repos.ts";
import type { KnownRepo } from "../known-repo.ts";
import { type Check, type Finding, note, warning } from "./finding.ts";

export interface GoneRepo {
  repo: KnownRepo;
  /** The command that takes its jobs along, where it is the repository that is looked at. */
  takeAlong?: string;
}

/** What the daemon knows; undefined when none tells. */
export interface Repositories {
  known: number;
  gone: GoneRepo[];
}

export async function probeRepositories(
  context: Context,
  checkout: Checkout | undefined,
): Promise<Repositories | undefined> {
  const client = clientFor(context);
  try {
    const { repos } = await client.repos();
    const gone = goneRepos(repos);
    const here = new Set(checkout === undefined ? [] : await movedHere(client, gone, checkout));
    const told = (repo: KnownRepo): GoneRepo =>
      checkout !== undefined && here.has(repo)
        ? { repo, takeAlong: takeAlong(repo, checkout, repos) }
        : { repo };
    return { known: repos.length, gone: gone.map(told) };
  } catch (error) {
    if (error instanceof DaemonError) return undefined; // of the daemon itself there is a finding already
    throw error;
  }
}

const maxTold = 5;

export function judgeRepositories(found: Repositories | undefined): Check {
  const check = { name: "repositories", title: "Repositories" };
  if (found === undefined) return { ...check, summary: "not asked, no daemon runs", findings: [] };
  const { known, gone } = found;
  const here = gone.filter((one) => one.takeAlong !== undefined);
  const others = gone.filter((one) => one.takeAlong === undefined);
  const left = others.length - maxTold;
  return {
    ...check,
    summary:
      known === 0 ? "none yet" : `${known} known${gone.length === 0 ? "" : `, ${gone.length} of them gone`}`,
    findings: [
      ...here.map(movedFinding),
      ...others.slice(0, maxTold).map(goneFinding),
      ...(left > 0
        ? [
            note(
              "repo-gone",
              `${plural(left, "more repository is", "more repositories are")} gone`,
              "roborev repo list",
            ),
          ]
        : []),
    ],
  };
}

const movedFinding = ({ repo, takeAlong: command }: GoneRepo): Finding =>
  warning(
    "repo-moved",
    `this repository was at ${singleLine(repo.root_path)}, and its ${plural(repo.job_count, "job")} stayed there`,
    command,
  );

const goneFinding = ({ repo: { root_path: path } }: GoneRepo): Finding =>
  note(
    "repo-gone",
    `the repository ${singleLine(path)} is gone`,
    `If it was moved: roborev repo move ${shellWord(path)} PATH\nIf it was deleted: roborev repo delete --cascade ${shellWord(path)}`,
  );
