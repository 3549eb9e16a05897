import { defaults } from "../../config/defaults.ts";
import { loadGlobalConfig } from "../../config/load.ts";
import type { GlobalConfig } from "../../config/schema.ts";
import { writeConfig } from "../../config/write.ts";
import { type Checkout, findCheckout } from "../../git/checkout.ts";
import { commitInfo } from "../../git/commit.ts";
import { RoborevError } from "../../lib/errors.ts";
import { version } from "../../lib/version.ts";
import type { Job } from "../../store/schema.ts";
import type { Filter, Place } from "../../tui/model.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { endSignals } from "../end-signals.ts";
import { requireCheckout } from "../place.ts";

export const tui = define({
  meta: { name: "tui", description: "Browse jobs and reviews on the whole terminal, as they happen." },
  args: {
    repo: { type: "string", valueHint: "path", description: "Only this repository, or the one you are in" },
    branch: { type: "string", valueHint: "name", description: "Only this branch, or the current one" },
    "no-quit": { type: "boolean", description: "Only Ctrl-C ends it" },
  },
  optionalValue: { repo: ".", branch: "HEAD" },
  json: false,
  tidiesUp: true,
  details: `The keys are listed under ?. It starts with the jobs of the repository that you are in; Esc, f and b change
    that, unless --repo or --branch decides it. Settings: auto_filter_repo, auto_filter_branch, hide_closed_by_default,
    hidden_columns, column_order, mouse_enabled.`,
  examples: ["roborev tui", "roborev tui --repo --branch", "roborev tui --branch=main"],
  async run(context) {
    const { args, env, paths, now } = context;
    requireTerminal();
    const checkout =
      args.repo === undefined || args.repo === "."
        ? await findCheckout(context.cwd())
        : await requireCheckout(args.repo, (child) => `roborev tui --repo=${child}`);
    if (args.repo === ".") await requireCheckout(context.cwd(), (child) => `roborev tui --repo=${child}`);
    const client = await connect(context);
    const { config } = await loadGlobalConfig(paths().config);
    const { filters, locked } = beginningFilters(args, checkout, config);
    const { tuiFixes } = await import("../tui-fixes.ts");
    const { runTui } = await import("../../tui/run.tsx");
    const { paletteOf } = await import("../../tui/color-mode.ts");
    const { hiddenAtFirst, orderOf } = await import("../../tui/columns.ts");
    // Its own: a fix that is being applied takes a signal for itself, and the program would go on without a terminal.
    using ending = endSignals(context.signal);
    const { signal } = ending;
    await runTui({
      ...{ client, now: () => now().getTime(), signal },
      ...{ stdin: process.stdin, stdout: process.stdout },
      jobLogs: paths().jobLogs,
      commenter: env.USER ?? "anonymous",
      hasMouse: config.mouse_enabled ?? defaults.mouse_enabled,
      beginning: {
        ...{ version, filters, locked, palette: paletteOf(env), staysOpen: args["no-quit"] },
        ...(checkout ? { place: placeOf(checkout) } : {}),
        hidden: config.hidden_columns ?? hiddenAtFirst,
        order: config.column_order ?? [],
      },
      renderer: async (agent) => {
        const { createRenderer } = await import("../../review/agents/render/renderer.ts");
        return createRenderer(agent);
      },
      commitMessage,
      fixes: tuiFixes({ ...context, signal }, client),
      async saveColumns(hidden, order) {
        const where = { path: paths().config, lock: paths().configLock, mode: 0o600 as const };
        const set = (key: string, value: readonly string[]) =>
          writeConfig({ ...where, edit: { kind: "set", path: [key], value: [...value] } });
        await set("hidden_columns", hidden);
        // Nothing is written that nobody decided.
        if (order.join() !== orderOf(config.column_order ?? []).join()) await set("column_order", order);
      },
    });
    signal.throwIfAborted();
    return 0;
  },
});

function requireTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new RoborevError("roborev tui needs a terminal", {
    code: "E_NO_TERMINAL",
    hint: "In a script, use roborev list, roborev show and roborev stream.",
  });
}

const placeOf = (checkout: Checkout): Place => ({
  repo: checkout.mainRoot,
  worktree: checkout.worktreeRoot,
  branch: checkout.branch,
});

/** What the command line says cannot be changed; what the configuration says is only where it begins. */
function beginningFilters(
  { repo, branch }: { repo: string | undefined; branch: string | undefined },
  checkout: Checkout | undefined,
  config: GlobalConfig,
): { filters: Filter[]; locked: Filter["kind"][] } {
  const filters: Filter[] = [];
  const locked: Filter["kind"][] = [];
  if (checkout && (repo !== undefined || (config.auto_filter_repo ?? defaults.auto_filter_repo))) {
    const { mainRoot: path } = checkout;
    filters.push({ kind: "repo", path, name: path.split("/").at(-1) ?? path });
    if (repo !== undefined) locked.push("repo");
  }
  const current = checkout?.branch ?? "";
  const named = branch === "HEAD" ? current : branch;
  const wanted = named ?? (config.auto_filter_branch && current !== "" ? current : undefined);
  if (wanted !== undefined) filters.push({ kind: "branch", name: wanted });
  if (branch !== undefined) locked.push("branch");
  if (config.hide_closed_by_default) filters.push({ kind: "closed" });
  return { filters, locked };
}

/** Of a single commit that is still there. */
async function commitMessage({ repo_path: repo, git_ref: ref }: Job): Promise<string | undefined> {
  if (repo === undefined || !/^[0-9a-f]{40,64}$/.test(ref)) return undefined;
  try {
    const { sha, author, timestamp, subject, body } = await commitInfo(repo, ref);
    return [`commit ${sha}`, `${author}, ${timestamp}`, "", subject, ...(body === "" ? [] : ["", body])].join(
      "\n",
    );
  } catch (error) {
    if (error instanceof RoborevError) return undefined; // gone from the repository, or that from here
    throw error;
  }
}
