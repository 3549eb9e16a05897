import { RoborevError } from "../../lib/errors.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { Job } from "../../store/schema.ts";
import { wrapText } from "../help.ts";
import type { Output } from "../output.ts";
import { postToolUse, preToolUse, stop } from "./payloads.ts";
import type { Stage } from "./stage.ts";

const good = "export function total(prices) {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n";
const bad = `${good}\nexport function mean(prices) {\n  // BUG: divides by zero for an empty list\n  return total(prices) / prices.length;\n}\n`;
const fixed = `${good}\nexport function mean(prices) {\n  return prices.length === 0 ? 0 : total(prices) / prices.length;\n}\n`;

/** Plays the whole loop on a stage and prints it. Throws where anything is not as promised. */
export async function tellStory(stage: Stage, out: Output): Promise<void> {
  const teller = createTeller(stage, out);
  const { step, say, show, shell, hook } = teller;

  step("Set up a repository");
  await stage.git("init", "-q");
  show("roborev daemon start", (await stage.roborev(["daemon", "start"])).stdout);
  const init = ["init", "--agent", "test", ...(stage.binary ? ["--binary", stage.binary] : [])];
  await stage.roborev(init);
  show("roborev init --agent test", "");
  say("The reviewer is the built-in one, which only looks for BUG: lines. Every commit is now reviewed.");

  step("A coding agent commits twice");
  await stage.write("prices.js", good);
  await shell(1, "git add -A && git commit -q -m 'Add total'");
  await stage.write("prices.js", bad);
  // A review can be quicker than the hook behind the commit: then that hook is the one with the reminder.
  const early = await shell(1, "git add -A && git commit -q -m 'Add mean'");
  say("git printed nothing and did not wait: the reviews run in the background.");

  step("The reviews are in");
  {
    using _ = out.waiting("Waiting for the reviews");
    await stage.roborev(["wait", "HEAD~1", "--quiet"]);
    await stage.roborev(["wait", "HEAD", "--quiet"], { expect: [1] });
  }
  show("roborev list", (await stage.roborev(["list"])).stdout);
  const failed = await failedJob(stage);
  show(`roborev show --job ${failed.id}`, (await stage.roborev(["show", "--job", String(failed.id)])).stdout);

  step("A hook of the agent's session carries the reminder");
  say("Claude Code calls the hook after each tool; here with --failed-review-threshold 1. The model reads:");
  const answer = isEmpty(early) ? await hook(postToolUse(stage.repo, 1, "npm test", "ok")) : early;
  const reminder = reminderText(answer);
  out.print(indent(reminder.split("\n\n").map(quote).join("\n|\n")));
  assure(reminder.includes(String(failed.id)), `the reminder does not name job ${failed.id}`);
  say("The next call says nothing, nobody is nagged twice:");
  await silent(hook(postToolUse(stage.repo, 1, "npm test", "ok")), out);
  say("Until the agent is done, no other session is reminded in this working tree:");
  show("roborev agent-hook status", (await stage.roborev(["agent-hook", "status"])).stdout);

  step("The agent fixes it, says so, and closes the review");
  await stage.write("prices.js", fixed);
  await shell(2, "git commit -q -a -m 'Handle an empty list'");
  {
    using _ = out.waiting("Waiting for the review of the fix");
    await stage.roborev(["wait", "HEAD", "--quiet"]);
  }
  const id = String(failed.id);
  const comment = ["comment", "--commenter", "agent-hook", "--job", id, "An empty list gives 0 now."];
  show(comment.map(shellWord).join(" ").replace(/^/, "roborev "), (await stage.roborev(comment)).stdout);
  show(`roborev close ${id}`, (await stage.roborev(["close", id])).stdout);
  const done = ["agent-hook", "fix-done", fixSessionId(reminder)];
  show(`roborev ${done.join(" ")}`, (await stage.roborev(done)).stdout);

  step("The session ends in peace");
  say("The hook at the end of the turn:");
  await silent(hook(stop(stage.repo, 2)), out);
  say("What the agent did shows that the reminder arrived:");
  show("roborev agent-hook log", (await stage.roborev(["agent-hook", "log"])).stdout);
  show("roborev list", (await stage.roborev(["list"])).stdout);
}

function createTeller(stage: Stage, out: Output) {
  let number = 0;
  const show = (command: string, result: string) => {
    out.print(`   ${out.paint("dim", `$ ${command}`)}`);
    if (result !== "") out.print(indent(result));
  };
  const hook = async (payload: object): Promise<Record<string, unknown>> => {
    const args = ["agent-hook", "run", "--agent", "claude", "--failed-review-threshold", "1"];
    const { stdout } = await stage.roborev(args, { stdin: JSON.stringify(payload) });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  return {
    show,
    hook,
    step(title: string) {
      number++;
      out.print(`\n${out.paint("bold", `${number}. ${title}`)}`);
    },
    say(text: string) {
      for (const line of wrapText(text, 74)) out.print(`   ${line}`);
    },
    /** A command of the agent's shell, with the hook before and after it as Claude Code calls them. */
    async shell(turn: number, command: string): Promise<Record<string, unknown>> {
      assure(
        isEmpty(await hook(preToolUse(stage.repo, turn, command))),
        "the hook before a command was not silent",
      );
      await runAgentCommand(stage, command);
      show(command, "");
      return await hook(postToolUse(stage.repo, turn, command, ""));
    },
  };
}

/** The agent's `git … && git …`, each run without a shell. */
async function runAgentCommand(stage: Stage, command: string): Promise<void> {
  for (const part of command.split(" && ")) {
    const words = [...part.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
    const { stdout } = await stage.git(...words.slice(1));
    assure(stdout === "", `${part} printed: ${stdout}`);
  }
}

async function failedJob(stage: Stage): Promise<Job> {
  const { stdout } = await stage.roborev(["list", "--open", "--json"]);
  const job = (JSON.parse(stdout) as Job[]).find(({ verdict }) => verdict === "F");
  if (job === undefined) throw new RoborevError("no review failed", { code: "E_DEMO" });
  return job;
}

async function silent(answer: Promise<Record<string, unknown>>, out: Output): Promise<void> {
  const given = await answer;
  assure(isEmpty(given), `the hook was not silent: ${JSON.stringify(given)}`);
  out.print("   {}");
}

const isEmpty = (answer: object) => Object.keys(answer).length === 0;

/** Where Claude Code finds the text after a tool. */
function reminderText(answer: Record<string, unknown>): string {
  const output = answer.hookSpecificOutput as { additionalContext?: unknown } | undefined;
  return typeof output?.additionalContext === "string" ? output.additionalContext : "";
}

/** What the reminder asks the agent to end when it is done. */
function fixSessionId(reminder: string): string {
  const id = /agent-hook fix-done ([0-9a-f-]{36})`/.exec(reminder)?.[1];
  if (id === undefined) throw new RoborevError("the reminder opens no fix session", { code: "E_DEMO" });
  return id;
}

function assure(condition: boolean, problem: string): void {
  if (!condition) throw new RoborevError(problem, { code: "E_DEMO" });
}

const quote = (paragraph: string): string =>
  wrapText(paragraph, 74)
    .map((line) => `| ${line}`)
    .join("\n");

const indent = (text: string): string => text.replace(/^(?=.)/gm, "   ");
