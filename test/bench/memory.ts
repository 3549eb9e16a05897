import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startDaemon } from "../support/daemon-process.ts";
import { stubReviewer } from "../support/stub-reviewer.ts";
import { waitFor } from "../support/wait.ts";
import { bareFigure, type Figure } from "./figure.ts";
import { residentMiB, type Scene } from "./scene.ts";

const reviews = 8;
const outputBytes = 5_000_000;
const targetMiB = 150;

/** The daemon while as many reviews run as it has workers, each of which has printed much. */
export async function measureReviewMemory(scene: Scene): Promise<Figure> {
  const dataDir = join(scene.place, "reviewing");
  const marks = join(scene.place, "marks");
  for (const path of [dataDir, marks]) mkdirSync(path, { mode: 0o700 });
  const event = { type: "assistant", message: { content: [{ type: "text", text: "x".repeat(400) }] } };
  const program = stubReviewer(
    join(scene.place, "much"),
    `cat > /dev/null
yes '${JSON.stringify(event)}' | head -c ${outputBytes}
echo
touch "${marks}/$$"
until [ -e "${marks}/go" ]; do sleep 0.05; done
say 'No issues found in file-0.ts.'`,
  );
  const config = `default_agent = "claude-code"\nclaude_code_cmd = "${program}"\nmax_workers = ${reviews}\n`;
  writeFileSync(join(dataDir, "config.toml"), config, { mode: 0o600 });
  await using daemon = await startDaemon(dataDir, { ...scene.env, ROBOREV_DATA_DIR: dataDir });
  const ids: number[] = [];
  for (let n = 0; n < reviews; n++) {
    appendFileSync(join(scene.repo, "file-0.ts"), `export const b${n} = ${n};\n`);
    scene.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", `review ${n}`);
    const request = { repo_path: scene.repo, git_ref: scene.git("rev-parse", "HEAD") };
    const { status, body } = await daemon.send("POST", "/api/enqueue", request);
    if (status !== 201) throw new Error(`enqueue: ${status} ${JSON.stringify(body)}`);
    ids.push((body as { id: number }).id);
  }
  const printed = () => Array.from(new Bun.Glob("*").scanSync({ cwd: marks })).length;
  await waitFor(`${reviews} reviewers that have printed`, () => printed() === reviews, 120_000);
  const resident = residentMiB(daemon.pid);
  writeFileSync(join(marks, "go"), "");
  const ended = async () => {
    const { body } = await daemon.send("GET", "/api/jobs?status=done&limit=0");
    return (body as { jobs: unknown[] }).jobs.length === reviews;
  };
  await waitFor(`${reviews} reviews`, ended, 120_000);
  const peak = peakMiB(daemon.pid) ?? resident;
  return bareFigure(
    `daemon, ${reviews} reviews of 5 MB at once, peak`,
    Math.max(peak, resident),
    "MiB",
    targetMiB,
  );
}

/** The most that the process ever had, where the system tells it. */
function peakMiB(pid: number): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, "utf8"))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}
