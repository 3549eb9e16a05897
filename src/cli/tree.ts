import { type Group, group, hidden, type Leaf, leaf } from "./node.ts";

const daemon = group(
  "Control the background process",
  {
    run: leaf("Run the daemon in the foreground", () =>
      import("./commands/daemon-run.ts").then((m) => m.daemonRun),
    ),
    start: leaf("Start the daemon", () => import("./commands/daemon-start.ts").then((m) => m.daemonStart)),
    stop: leaf("Stop the daemon", () => import("./commands/daemon-stop.ts").then((m) => m.daemonStop)),
    restart: leaf("Stop the daemon and start it again", () =>
      import("./commands/daemon-restart.ts").then((m) => m.daemonRestart),
    ),
    status: leaf("Show what the daemon is doing", () => import("./commands/status.ts").then((m) => m.status)),
    "install-service": leaf("Have it started at login and kept running", () =>
      import("./commands/daemon-install-service.ts").then((m) => m.daemonInstallService),
    ),
    "uninstall-service": leaf("Undo install-service", () =>
      import("./commands/daemon-uninstall-service.ts").then((m) => m.daemonUninstallService),
    ),
  },
  { examples: ["roborev daemon start", "roborev daemon status --json"] },
);

const agentHook = group(
  "Bring findings back into coding-agent sessions",
  {
    install: leaf("Register the hook with coding agents", () =>
      import("./commands/agent-hook-install.ts").then((m) => m.agentHookInstall),
    ),
    uninstall: leaf("Remove the hook from coding agents", () =>
      import("./commands/agent-hook-uninstall.ts").then((m) => m.agentHookUninstall),
    ),
    dump: leaf("Print the configuration that install would write", () =>
      import("./commands/agent-hook-dump.ts").then((m) => m.agentHookDump),
    ),
    run: leaf("Answer one hook call (called by the agent)", () =>
      import("./commands/agent-hook-run.ts").then((m) => m.agentHookRun),
    ),
    status: leaf("Show sessions, and what keeps a reminder back", () =>
      import("./commands/agent-hook-status.ts").then((m) => m.agentHookStatus),
    ),
    log: leaf("List delivered reminders and what became of them", () =>
      import("./commands/agent-hook-log.ts").then((m) => m.agentHookLog),
    ),
    doctor: leaf("Check the hooks of the coding agents here", () =>
      import("./commands/agent-hook-doctor.ts").then((m) => m.agentHookDoctor),
    ),
    "fix-done": leaf("End a fix session (called by the agent)", () =>
      import("./commands/agent-hook-fix-done.ts").then((m) => m.agentHookFixDone),
    ),
    reset: leaf("Forget what is known of sessions", () =>
      import("./commands/agent-hook-reset.ts").then((m) => m.agentHookReset),
    ),
  },
  {
    removed: {
      daemon: "The separate hook daemon is gone; use roborev daemon.",
    },
    examples: ["roborev agent-hook install", "roborev agent-hook status"],
  },
);

const skills = group(
  "Give coding agents commands such as /roborev-review",
  {
    install: leaf("Write the skills for the coding agents here", () =>
      import("./commands/skills-install.ts").then((m) => m.skillsInstall),
    ),
    update: leaf("Bring installed skills up to date", () =>
      import("./commands/skills-update.ts").then((m) => m.skillsUpdate),
    ),
    status: leaf("Show which skills the coding agents have", () =>
      import("./commands/skills-status.ts").then((m) => m.skillsStatus),
    ),
  },
  { examples: ["roborev skills install", "roborev skills status"] },
);

const config = group(
  "Show and change what is configured",
  {
    get: leaf("Print one setting", () => import("./commands/config-get.ts").then((m) => m.configGet)),
    set: leaf("Change one setting in a file", () =>
      import("./commands/config-set.ts").then((m) => m.configSet),
    ),
    list: leaf("List every setting that has a value here", () =>
      import("./commands/config-list.ts").then((m) => m.configList),
    ),
    validate: leaf("Check the files for everything that is wrong", () =>
      import("./commands/config-validate.ts").then((m) => m.configValidate),
    ),
  },
  {
    examples: ["roborev config list --show-origin", "roborev config set --global max_workers 2"],
    topic: {
      summary: "Every setting, its default and its meaning",
      load: () => import("./topics/config.ts").then((m) => m.configHelp()),
    },
  },
);

const repo = group(
  "Manage the repositories that are reviewed",
  {
    list: leaf("List the repositories", () => import("./commands/repo-list.ts").then((m) => m.repoList)),
    show: leaf("Show one repository", () => import("./commands/repo-show.ts").then((m) => m.repoShow)),
    add: leaf("Make a repository known without git hooks", () =>
      import("./commands/repo-add.ts").then((m) => m.repoAdd),
    ),
    rename: leaf("Change the name of a repository", () =>
      import("./commands/repo-rename.ts").then((m) => m.repoRename),
    ),
    move: leaf("Say where a repository lies now", () =>
      import("./commands/repo-move.ts").then((m) => m.repoMove),
    ),
    delete: leaf("Forget a repository", () => import("./commands/repo-delete.ts").then((m) => m.repoDelete)),
    merge: leaf("Join two that are one repository", () =>
      import("./commands/repo-merge.ts").then((m) => m.repoMerge),
    ),
    trust: leaf("Allow the review hooks of this repository to run", () =>
      import("./commands/repo-trust.ts").then((m) => m.repoTrust),
    ),
  },
  { examples: ["roborev repo list", "roborev repo trust"] },
);

/** Every command of the program. */
export const root: Group = group(
  "Reviews every commit in the background and brings the findings back",
  {
    quickstart: leaf("See what is set up here and what to run next", () =>
      import("./commands/quickstart.ts").then((m) => m.quickstart),
    ),
    init: leaf("Set up reviews for this repository", () => import("./commands/init.ts").then((m) => m.init)),
    doctor: leaf("Check everything, and mend what is broken", () =>
      import("./commands/doctor.ts").then((m) => m.doctor),
    ),
    uninit: leaf("Undo init", () => import("./commands/uninit.ts").then((m) => m.uninit)),
    config,
    repo,
    demo: leaf("See the whole loop in a throwaway repository", () =>
      import("./commands/demo.ts").then((m) => m.demo),
    ),
    review: leaf("Queue a review", () => import("./commands/review.ts").then((m) => m.review)),
    wait: leaf("Wait for reviews to finish", () => import("./commands/wait.ts").then((m) => m.wait)),
    list: leaf("List jobs", () => import("./commands/list.ts").then((m) => m.list)),
    show: leaf("Show a review", () => import("./commands/show.ts").then((m) => m.show)),
    tui: leaf("Browse jobs and reviews on the whole terminal", () =>
      import("./commands/tui.ts").then((m) => m.tui),
    ),
    summary: leaf("Sum up what reviews found and took", () =>
      import("./commands/summary.ts").then((m) => m.summary),
    ),
    log: leaf("Print what a reviewer said while it worked", () =>
      import("./commands/log.ts").then((m) => m.log),
    ),
    stream: leaf("Print what happens as it happens", () =>
      import("./commands/stream.ts").then((m) => m.stream),
    ),
    cancel: leaf("Cancel a job that has not finished", () =>
      import("./commands/cancel.ts").then((m) => m.cancel),
    ),
    rerun: leaf("Review again what a job reviewed", () => import("./commands/rerun.ts").then((m) => m.rerun)),
    comment: leaf("Comment on a review", () => import("./commands/comment.ts").then((m) => m.comment)),
    close: leaf("Close reviews that are dealt with", () =>
      import("./commands/close.ts").then((m) => m.close),
    ),
    fix: leaf("Let a coding agent deal with open reviews", () =>
      import("./commands/fix.ts").then((m) => m.fix),
    ),
    refine: leaf("Let a coding agent work on this branch until its review passes", () =>
      import("./commands/refine.ts").then((m) => m.refine),
    ),
    "agent-hook": agentHook,
    skills,
    "check-agents": leaf("See which reviewers answer here", () =>
      import("./commands/check-agents.ts").then((m) => m.checkAgents),
    ),
    snooze: leaf("Mute reminders for a while", () => import("./commands/snooze.ts").then((m) => m.snooze)),
    daemon,
    pause: leaf("Let reviews wait", () => import("./commands/pause.ts").then((m) => m.pause)),
    unpause: leaf("End a pause", () => import("./commands/unpause.ts").then((m) => m.unpause)),
    status: leaf("Show the daemon, its health and the latest jobs", () =>
      import("./commands/status.ts").then((m) => m.status),
    ),
    completion: leaf("Complete commands and values in a shell", () =>
      import("./commands/completion.ts").then((m) => m.completion),
    ),
    update: leaf("Replace this program by the latest release", () =>
      import("./commands/update.ts").then((m) => m.update),
    ),
    version: leaf("Print the version", () => import("./commands/version.ts").then((m) => m.versionCommand)),
    "post-commit": hidden("Queue a review of the newest commit (called by git)", () =>
      import("./commands/post-commit.ts").then((m) => m.postCommit),
    ),
    "completion-values": hidden("What can be typed for an argument (called by shells)", () =>
      import("./commands/completion-values.ts").then((m) => m.completionValues),
    ),
    remap: hidden("Move reviews to rewritten commits (called by git)", () =>
      import("./commands/remap.ts").then((m) => m.remap),
    ),
    refresh: hidden("Bring git hooks and skills up to date (called by update)", () =>
      import("./commands/refresh.ts").then((m) => m.refresh),
    ),
    "test-reviewer": hidden("The built-in reviewer for demonstrations and tests", () =>
      import("./commands/test-reviewer.ts").then((m) => m.testReviewer),
    ),
  },
  {
    sections: [
      ["Set up", ["quickstart", "init", "doctor", "uninit", "config", "repo", "demo"]],
      ["Reviews", ["review", "wait", "list", "show", "tui", "summary", "log", "stream", "cancel", "rerun"]],
      ["Feedback", ["comment", "close", "fix", "refine"]],
      ["Coding agents", ["agent-hook", "skills", "check-agents", "snooze"]],
      ["Background process", ["status", "pause", "unpause", "daemon"]],
      ["This program", ["completion", "update", "version"]],
    ],
    aliases: { respond: "comment", address: "close", enqueue: "post-commit" },
    removed: { "droid-hook": "Use roborev agent-hook with --agent droid." },
    examples: ["roborev init", "roborev show HEAD", "roborev demo"],
    topics: {
      environment: {
        summary: "Variables that roborev reads and sets",
        load: () => import("./topics/environment.ts").then((m) => m.environmentTopic()),
      },
      "exit-codes": {
        summary: "What a status means",
        load: () => import("./topics/exit-codes.ts").then((m) => m.exitCodesTopic(root)),
      },
    },
  },
);

/** All commands below a group, hidden ones too, in the order of the tree. */
export function everyCommand(group: Group, path = "roborev"): { path: string; leaf: Leaf }[] {
  return [...group.commands].flatMap(([name, node]) =>
    node.kind === "command"
      ? [{ path: `${path} ${name}`, leaf: node }]
      : everyCommand(node, `${path} ${name}`),
  );
}
