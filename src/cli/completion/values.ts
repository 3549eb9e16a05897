import { findCheckout } from "../../git/checkout.ts";
import { branchNames, refNames } from "../../git/ref-names.ts";
import { RoborevError } from "../../lib/errors.ts";
import { shortRef } from "../../lib/job-text.ts";
import { singleLine } from "../../lib/text.ts";
import type { Job } from "../../store/schema.ts";
import type { Context } from "../command.ts";
import { clientFor } from "../connect.ts";
import type { Word } from "./plan.ts";
import type { LiveKind } from "./sources.ts";

/** Somebody waits with a finger on the key, and only a daemon that hangs lets him. */
const limitMs = 2_000;
const maxValues = 100;
const maxAboutLength = 60;

/** What may be typed for an argument of this kind, here and now. No daemon, no repository: nothing, and no failure. */
export async function liveValues(kind: LiveKind, context: Context): Promise<Word[]> {
  const found = await Promise.race([orNothing(look(kind, context)), Bun.sleep(limitMs).then(() => [])]);
  return found.map(cleaned).filter((word) => word !== undefined);
}

/** What cannot be looked at, without a daemon or a repository for instance, offers nothing. */
async function orNothing<T>(work: Promise<T[]>): Promise<T[]> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RoborevError) return [];
    throw error;
  }
}

async function look(kind: LiveKind, context: Context): Promise<Word[]> {
  switch (kind) {
    case "branch":
      return plain(await branchNames(context.cwd(), maxValues));
    case "ref":
      return plain(await refNames(context.cwd(), maxValues));
    case "job":
      return await jobs(context);
    case "review": {
      const [numbers, refs] = await Promise.all([
        orNothing(jobs(context)),
        orNothing(refNames(context.cwd(), maxValues)),
      ]);
      return [...numbers, ...plain(["HEAD", ...refs])];
    }
    case "repo":
      return (await clientFor(context).repos()).repos.map(({ name, root_path }) => ({
        name,
        about: root_path,
      }));
    case "session":
      return await sessions(context);
  }
}

const plain = (names: readonly string[]): Word[] => names.map((name) => ({ name, about: "" }));

async function jobs(context: Context): Promise<Word[]> {
  const checkout = await findCheckout(context.cwd());
  const query = { ...(checkout === undefined ? {} : { repo: checkout.mainRoot }), limit: maxValues };
  return (await clientFor(context).jobs(query)).jobs.map((job) => ({
    name: String(job.id),
    about: aboutJob(job),
  }));
}

const aboutJob = ({ status, verdict, git_ref: ref, commit_subject: subject = "" }: Job): string =>
  [
    verdict === undefined ? status : verdict === "F" ? "failed review" : "passed",
    shortRef(ref),
    subject,
  ].join(" ");

async function sessions(context: Context): Promise<Word[]> {
  const { sessions: known = {} } = (await clientFor(context).hookSessions()) as { sessions?: object };
  return Object.keys(known)
    .slice(0, maxValues)
    .map((key) => ({
      name: key.slice(key.indexOf(":") + 1),
      about: key.slice(0, Math.max(0, key.indexOf(":"))),
    }));
}

/**
 * A word that every shell takes as it is, with a line of text about it; undefined for any other. A branch may be called
 * `$(rm -rf ~)`: it is not offered, so that no shell has to be trusted to quote it.
 */
export function cleaned({ name, about }: Word): Word | undefined {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._/@+,%#-]{0,199}$/u.test(name) || singleLine(name) !== name)
    return undefined;
  return { name, about: [...singleLine(about)].slice(0, maxAboutLength).join("") };
}
