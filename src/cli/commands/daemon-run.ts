import { define } from "../command.ts";

export const daemonRun = define({
  meta: { name: "run", description: "Run the daemon in the foreground, until it is stopped or interrupted." },
  args: {},
  json: false,
  tidiesUp: true,
  exitCodes: { 0: "stopped", 1: "could not start, for example because another one runs" },
  examples: ["roborev daemon run"],
  async run({ paths, signal }) {
    const { dataDir } = paths();
    const { runDaemon } = await import("../../daemon/run.ts");
    return runDaemon({ dataDir, interrupt: signal });
  },
});
