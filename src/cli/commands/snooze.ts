import type { Checkout } from "../../git/checkout.ts";
import { formatGoDuration, parseGoDuration } from "../../lib/duration.ts";
import { UsageError } from "../../lib/errors.ts";
import { localTimeWithZone } from "../../lib/local-time.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { quotedLabel, singleLine } from "../../lib/text.ts";
import { typed } from "../arguments.ts";
import { define } from "../command.ts";
import { connect } from "../connect.ts";
import { requireCheckout } from "../place.ts";

export const snooze = define({
  meta: {
    name: "snooze",
    description:
      "Mute the reminders that coding agents get, for a while, on this branch of this working tree. Reviews go on.",
  },
  args: {
    action: { type: "positional", required: false, description: "on (default), or off to resume at once" },
    duration: {
      type: "string",
      alias: "d",
      default: "8h",
      valueHint: "time",
      description: "How long, like 30m, 2h or 1h30m",
    },
  },
  details: `Another branch or another working tree does not inherit it. Failed reviews keep accumulating. What is
    committed in the quiet time is not counted afterwards; its open reviews are. roborev status lists every snooze.`,
  examples: ["roborev snooze", "roborev snooze on --duration 2h", "roborev snooze off"],
  async run(context) {
    const { args, flags, out } = context;
    const action = (args.action ?? "on").trim().toLowerCase();
    if (action !== "on" && action !== "off") throw unknownAction(typed(action));
    if (action === "off" && context.given.has("duration"))
      throw new UsageError("--duration cannot be used with snooze off");
    const durationMs = action === "on" ? checkedDuration(args.duration) : undefined;
    const checkout = await requireCheckout(
      context.cwd(),
      (child) => `cd ${shellWord(child)} && roborev snooze`,
    );
    const client = await connect(context);
    const scope = {
      repo_path: checkout.mainRoot,
      worktree_path: checkout.worktreeRoot,
      branch: checkout.branch,
    };
    // Counted from here: to start the daemon may have taken its time.
    const until =
      durationMs === undefined ? undefined : new Date(context.now().getTime() + durationMs).toISOString();
    const answer = await client.snooze({
      ...scope,
      enabled: until !== undefined,
      ...(until === undefined ? {} : { snoozed_until: until }),
    });
    const state =
      durationMs === undefined || until === undefined
        ? "resumed"
        : `snoozed for ${durationText(durationMs)}, until ${localTimeWithZone(until)},`;
    if (flags.json) out.json({ ...answer, ...scope });
    else out.print(`Reminders ${state} on ${placeText(checkout)}. Commits are reviewed as before.`);
    return 0;
  },
});

const unknownAction = (action: string) =>
  new UsageError(`action must be on or off, got ${action || "nothing"}`, {
    ...(/^\d/.test(action) ? { hint: `For how long, write --duration ${action}.` } : {}),
  });

const longestMs = 365 * 24 * 3_600_000;

function checkedDuration(text: string): number {
  const durationMs = parseGoDuration(text);
  if (durationMs >= 1000 && durationMs <= longestMs) return durationMs;
  const range = `a positive time from 1s to ${durationText(longestMs)}`;
  throw new UsageError(`--duration must be ${range}, got ${typed(text)}`, {
    ...(durationMs > longestMs
      ? { hint: "To switch reminders off, set enabled = false under [agent_hook] in config.toml." }
      : {}),
  });
}

/** `8h`, `90m`, else as Go prints it. */
function durationText(durationMs: number): string {
  const minutes = durationMs / 60_000;
  if (!Number.isInteger(minutes)) return formatGoDuration(durationMs);
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

function placeText({ branch, worktreeRoot }: Checkout): string {
  const name =
    branch === "" ? "detached HEAD" : quotedLabel(branch) || "a branch with a name that cannot be shown";
  return `${name} in ${singleLine(worktreeRoot)}`;
}
