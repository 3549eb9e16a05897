import { realpath } from "node:fs/promises";
import type { DrainMode } from "../../daemon/api/requests.ts";
import { ensureDataDirectory } from "../../fs/private.ts";
import { RoborevError, UsageError } from "../../lib/errors.ts";
import { packagedBy } from "../../lib/packaged.ts";
import { runProcess } from "../../lib/process.ts";
import { plural } from "../../lib/text.ts";
import { lastCheck, latestRelease } from "../../update/check.ts";
import { releaseSource } from "../../update/source.ts";
import { judge } from "../../update/verdict.ts";
import { type Context, define } from "../command.ts";
import { installRelease, runningReviews } from "../update-run.ts";
import { availability, updateText } from "../update-text.ts";

export const update = define({
  meta: { name: "update", description: "Replace this program by the latest release." },
  args: {
    check: { type: "boolean", description: "Only say whether there is a newer release" },
    yes: { type: "boolean", alias: "y", description: "Do not ask" },
    force: {
      type: "boolean",
      alias: "f",
      description:
        "Also where this is a development build or no older than the release; ask anew with --check",
    },
    restart: {
      type: "boolean",
      default: true,
      description: "Restart the daemon and bring git hooks and skills up to date",
      negativeDescription: "Leave daemon, git hooks and skills as they are",
    },
    running: {
      type: "enum",
      options: ["wait", "interrupt", "abort"],
      valueHint: "how",
      description: "What becomes of running reviews: wait for them, interrupt them, or abort (default: ask)",
    },
  },
  exclusive: [
    { names: ["check", "yes"] },
    { names: ["check", "running"] },
    { names: ["restart", "running"], hint: "Without a restart no review is touched." },
  ],
  details: `The release comes from GitHub, or from the https address in ROBOREV_UPDATE_URL. It is installed if its SHA-256 is
    the one in the release's SHA256SUMS and it runs here. Ctrl-C before that leaves everything as it was. Nothing updates by itself.
    --check asks once a day and remembers the answer.`,
  examples: ["roborev update --check", "roborev update", "roborev update --yes --running=interrupt"],
  tidiesUp: true,
  async run(context) {
    const { args } = context;
    const program = { ...context.program, path: await realpath(context.program.path) };
    const world = { ...context, program };
    return args.check ? await check(world, args.force) : await install(world, args);
  },
});

interface Flags {
  yes: boolean;
  force: boolean;
  restart: boolean;
  running: string | undefined;
}

async function check(context: Context, isAnew: boolean): Promise<number> {
  const { program, flags, out } = context;
  const source = releaseSource(context.env);
  const { updateCheck: file, dataDir } = context.paths();
  const known = isAnew ? undefined : await lastCheck(file, source, context.now());
  if (known === undefined) await ensureDataDirectory(dataDir);
  const checkedAt = known?.checked_at ?? context.now().toISOString();
  const { version: latest } =
    known ??
    (await latestRelease(source, platformOf(context), { file, now: context.now(), signal: context.signal }));
  const verdict = judge(program.version, latest, false);
  if (flags.json) {
    const available = verdict === "install";
    out.json({ current: program.version, latest, update_available: available, checked_at: checkedAt });
  } else out.print(availability(program, latest, verdict));
  return 0;
}

const platformOf = ({ program }: Context): string => {
  if (program.platform !== undefined) return program.platform;
  throw new RoborevError("this roborev runs from source and cannot be replaced by a release", {
    code: "E_UPDATE",
    hint: "Bring the source up to date with: git pull",
  });
};

async function install(context: Context, given: Flags): Promise<number> {
  const { program, flags, out, signal } = context;
  const platform = platformOf(context);
  refusePackaged(program.path);
  const source = releaseSource(context.env);
  const { updateCheck: file, dataDir } = context.paths();
  await ensureDataDirectory(dataDir);
  const release = await latestRelease(source, platform, { file, now: context.now(), signal });
  const verdict = judge(program.version, release.version, given.force);
  if (verdict === "development") {
    throw new RoborevError(
      `this is a development build, ${program.version}; the latest release is ${release.version}`,
      { code: "E_UPDATE", hint: "Replace it with: roborev update --force" },
    );
  }
  if (verdict === "current") {
    if (flags.json) out.json({ updated: false, version: program.version, latest: release.version });
    else out.print(availability(program, release.version, verdict));
    return 0;
  }
  if (!isConfirmed(context, given.yes, `Update roborev ${program.version} to ${release.version}?`)) return 0;
  const running = await whatOfRunning(context, given);
  if (running === undefined) return 0;
  const { restart } = given;
  const updated = await installRelease(context, { source, release, platform, running, restart });
  if (!flags.json) out.print(updateText(program, updated, restart));
  const rest = restart ? await refreshRest(context) : { isDone: true, data: null };
  if (flags.json) {
    const { daemon = null, version } = updated;
    const { path, version: previous } = program;
    out.json({ updated: true, previous, version, path, daemon, refreshed: rest.data });
  }
  return rest.isDone ? 0 : 1;
}

function refusePackaged(path: string): void {
  const packager = packagedBy(path);
  if (packager === undefined) return;
  throw new RoborevError(`this roborev, ${path}, was installed by ${packager.name}`, {
    code: "E_PACKAGED",
    hint: `Update it with: ${packager.upgrade}`,
  });
}

function isConfirmed(context: Context, isSaid: boolean, question: string): boolean {
  const isSure = isSaid || context.confirm(question);
  if (isSure === undefined) throw new UsageError("nobody can be asked", { hint: "Confirm it with --yes." });
  if (!isSure) context.out.note("Nothing was changed.");
  return isSure;
}

/** Undefined: the user would rather not. */
async function whatOfRunning(
  context: Context,
  { running, yes, restart }: Flags,
): Promise<DrainMode | undefined> {
  if (running !== undefined) return running as DrainMode;
  if (yes || !restart) return "wait";
  const active = (await runningReviews(context.paths())) ?? 0;
  if (active === 0) return "wait";
  const are = active === 1 ? "is" : "are";
  return isConfirmed(context, false, `${plural(active, "review")} ${are} running. Wait for the end?`)
    ? "wait"
    : undefined;
}

/** Hooks and skills are those of the new program: only that one knows them. */
async function refreshRest({
  program,
  env,
  flags,
  out,
}: Context): Promise<{ isDone: boolean; data: unknown }> {
  using _ = out.waiting("Renewing git hooks and skills");
  const argv = [program.path, "refresh", ...(flags.json ? ["--json"] : [])];
  const run = await runProcess(argv, { env, timeoutMs: 120_000 });
  const stdout = Buffer.from(run.stdout).toString().trimEnd();
  if (!flags.json && stdout !== "") out.print(stdout);
  if (run.stderr.trim() !== "") out.note(run.stderr.trimEnd());
  const isDone = run.exitCode === 0;
  if (!isDone) out.note("The new program is installed, but git hooks or skills are not all up to date.");
  return { isDone, data: flags.json ? tryJson(stdout) : null };
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // one of an earlier release, which was installed with --force, may not know the command
  }
}
