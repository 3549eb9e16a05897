import { type Probe, probeDaemon } from "../../client/probe.ts";
import { resolveReviewSettings } from "../../config/resolve.ts";
import type { RepoConfig } from "../../config/schema.ts";
import { type Checkout, findCheckout } from "../../git/checkout.ts";
import type { HookStatus } from "../../git/hooks/status.ts";
import { harnesses } from "../../harness/registry.ts";
import type { Registered } from "../../install/registered.ts";
import { errorMessage, RoborevError } from "../../lib/errors.ts";
import { version } from "../../lib/version.ts";
import type { SkillState } from "../../skills/status.ts";
import type { Context } from "../command.ts";
import { clientFor } from "../connect.ts";
import { readRepoConfig } from "../repo-config.ts";
import { globalConfig, type ReviewersHere, reviewersHere } from "../reviewers-here.ts";

export type HookState = "current" | "outdated" | "missing" | "foreign" | "non_shell";

/** What is set up here, in the shape that `--json` prints. */
export interface Survey extends ReviewersHere {
  version: string;
  daemon: { running: boolean; version?: string; address: string; problem?: string };
  repo: {
    in_repo: boolean;
    root?: string;
    /** Null: no daemon runs that could say it. */
    registered: boolean | null;
    /** Open failed reviews of the current branch; null like `registered`. */
    open_failed_reviews: number | null;
    problem?: string;
  };
  /** Null outside of a repository. */
  hooks: { post_commit: HookState; post_rewrite: HookState } | null;
  skills: Record<string, SkillState>;
  guidelines: { present: boolean; source: ".roborev.toml" | "REVIEW.md" | "config.toml" | null };
  agent_hook: Record<string, Registered>;
}

/** Everything that the user should not have to wait for longer than this. */
const daemonMs = 700;

/** Looks at everything at once. Starts nothing, changes nothing, and what cannot be looked at is no failure. */
export async function survey(context: Context): Promise<Survey> {
  const { checkout, problem } = await around(context);
  const [daemon, hooks, reviewers, guidelines, agents] = await Promise.all([
    askDaemon(context, checkout),
    hookStates(checkout),
    reviewersHere(context, checkout, context.env),
    guidelinesHere(context, checkout),
    codingAgents(context),
  ]);
  const { registered, openFailed, ...about } = daemon;
  return {
    version,
    daemon: about,
    repo: {
      in_repo: checkout !== undefined,
      ...(checkout ? { root: checkout.mainRoot } : {}),
      registered,
      open_failed_reviews: openFailed,
      ...(problem === undefined ? {} : { problem }),
    },
    hooks,
    ...reviewers,
    guidelines,
    ...agents,
  };
}

async function around(context: Context): Promise<{ checkout?: Checkout | undefined; problem?: string }> {
  try {
    return { checkout: await findCheckout(context.cwd()) };
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { problem: error.message }; // no git, a directory that is gone
  }
}

async function askDaemon(
  context: Context,
  checkout: Checkout | undefined,
): Promise<Survey["daemon"] & { registered: boolean | null; openFailed: number | null }> {
  const client = clientFor(context);
  const address = `unix://${client.socket}`;
  const unknown = { address, registered: null, openFailed: null };
  const work = async () => {
    const probe: Probe = await probeDaemon(client, daemonMs);
    if (probe.state === "not-running") return { ...unknown, running: false };
    if (probe.state === "hung") return { ...unknown, running: true, problem: "it does not answer" };
    const about = { address, running: true, version: probe.ping.version };
    if (checkout === undefined) return { ...unknown, ...about };
    const [{ repos }, { jobs }] = await Promise.all([
      client.repos(),
      client.jobs({
        repo: checkout.mainRoot,
        ...(checkout.branch === "" ? {} : { branch: checkout.branch }),
        status: "done",
        closed: false,
        limit: 0,
      }),
    ]);
    return {
      ...about,
      registered: repos.some(({ root_path }) => root_path === checkout.mainRoot),
      openFailed: jobs.filter(({ verdict }) => verdict === "F").length,
    };
  };
  const late = Bun.sleep(daemonMs).then(() => ({ ...unknown, running: true, problem: "it answers slowly" }));
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    if (!(error instanceof RoborevError)) throw error;
    return { ...unknown, running: true, problem: errorMessage(error) };
  }
}

const words: Record<HookStatus["state"], HookState> = {
  current: "current",
  outdated: "outdated",
  damaged: "outdated",
  foreign: "foreign",
  "non-shell": "non_shell",
  missing: "missing",
};

async function hookStates(checkout: Checkout | undefined): Promise<Survey["hooks"]> {
  if (checkout === undefined) return null;
  const { gitHookStatus } = await import("../../git/hooks/status.ts");
  const { hooks } = await gitHookStatus(checkout);
  const of = (name: string): HookState => {
    const status = hooks.find(({ hook }) => hook === name);
    if (status === undefined) return "missing";
    // One that git ignores, or whose program is gone, has to be written again as well.
    const works = status.executable && status.binary?.executable !== false;
    return status.state === "current" && !works ? "outdated" : words[status.state];
  };
  return { post_commit: of("post-commit"), post_rewrite: of("post-rewrite") };
}

async function guidelinesHere(
  context: Context,
  checkout: Checkout | undefined,
): Promise<Survey["guidelines"]> {
  const global = await globalConfig(context);
  const isText = (text: string | undefined) => Boolean(text?.trim());
  const found = (source: Survey["guidelines"]["source"]) => ({ present: source !== null, source });
  if (checkout !== undefined) {
    const repo = await readRepoConfig(checkout).catch((error: unknown): RepoConfig => {
      if (error instanceof RoborevError) return {}; // `roborev config validate` says what is wrong with it
      throw error;
    });
    if (isText(repo.review_guidelines)) return found(".roborev.toml");
    const { sharedGuidelines } = await import("../../review/shared-guidelines.ts");
    const settings = resolveReviewSettings({ request: {}, repo, global });
    const shared = await sharedGuidelines(checkout, { dirty: false, repo, settings, onWarning: () => {} });
    if (shared.length > 0) return found("REVIEW.md");
  }
  return found(isText(global.review_guidelines) ? "config.toml" : null);
}

async function codingAgents(context: Context): Promise<Pick<Survey, "skills" | "agent_hook">> {
  const { registeredHooks } = await import("../../install/registered.ts");
  const { skillStatus } = await import("../../skills/status.ts");
  const { worstState } = await import("../../skills/summary.ts");
  const { env } = context;
  const world = { env, cwd: context.cwd(), dataDir: context.paths().dataDir };
  const rows = await Promise.all(
    harnesses.map(async (harness) => {
      const status = await skillStatus(harness, world);
      return {
        name: harness.name,
        hook: await registeredHooks(harness, world),
        skills: status && worstState(status),
      };
    }),
  );
  return {
    skills: Object.fromEntries(rows.flatMap(({ name, skills }) => (skills ? [[name, skills]] : []))),
    agent_hook: Object.fromEntries(rows.map(({ name, hook }) => [name, hook])),
  };
}
