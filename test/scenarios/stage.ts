import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { binary } from "../support/binary.ts";
import { endOf } from "../support/end-of.ts";
import { git } from "../support/repo.ts";
import { tempDir } from "../support/temp.ts";
import type { Result, Transcript } from "./transcript.ts";

/** What happens most often in a transcript, as commands of their own: each file says what it does. */
const commands = join(import.meta.dir, "bin");

export interface Stage extends AsyncDisposable {
  run(command: string): Promise<Result>;
}

/**
 * A home, an empty repository `shop` and the compiled program on PATH, below one temporary directory. With `mount`
 * all commands run in a mount namespace of their own, in which that command line has been run first.
 */
export async function setStage({ files }: Pick<Transcript, "files">, mount?: string): Promise<Stage> {
  const dir = tempDir();
  const place = {
    ROOT: dir.path,
    REPO: dir.join("shop"),
    HOME: dir.join("home"),
    DATA: dir.join("home/.roborev"),
    WORK: dir.join("work"),
    BIN: dir.join("bin"),
  };
  for (const path of [place.REPO, place.HOME, place.WORK, place.BIN]) mkdirSync(path);
  symlinkSync(binary, join(place.BIN, "roborev"));
  for (const name of readdirSync(commands))
    writeFileSync(join(place.BIN, name), readFileSync(join(commands, name)), { mode: 0o755 });
  for (const { path, content } of files) {
    mkdirSync(dirname(dir.join(path)), { recursive: true });
    writeFileSync(
      dir.join(path),
      content.replace(/\$(ROOT|REPO|HOME|DATA|WORK)\b/g, (_, name: keyof typeof place) => place[name]),
    );
    if (path.startsWith("bin/")) chmodSync(dir.join(path), 0o755);
  }
  git(place.REPO, "init", "-q");
  const env = {
    ...place,
    PATH: `${place.BIN}:${process.env.PATH}`,
    USER: "dev",
    TZ: "UTC",
    LC_ALL: "C",
    NO_COLOR: "1",
    GIT_CONFIG_GLOBAL: process.env.GIT_CONFIG_GLOBAL ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  let cwd = place.REPO;
  const started = new Set<number>();
  const namespace = mount === undefined ? undefined : await openNamespace(mount, env);
  const data = namespace ? `/proc/${namespace.pid}/root${place.DATA}` : place.DATA;

  return {
    async run(command) {
      const change = /^cd (\S+)$/.exec(command)?.[1];
      if (change !== undefined) {
        cwd = join(change.startsWith("$") || change.startsWith("/") ? "/" : cwd, expand(change, place));
        return { stdout: [], stderr: [], code: 0 };
      }
      const child = Bun.spawn([...(namespace?.enter ?? []), "/bin/sh", "-c", `cd "$0" && ${command}`, cwd], {
        cwd: "/",
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const { stdout, stderr, exitCode: code } = await endOf(child);
      const pid = daemonPid(data);
      if (pid !== undefined) started.add(pid);
      const plain = (text: string) => linesOf(neutral(text, place));
      return { stdout: plain(stdout), stderr: plain(stderr), code };
    },
    async [Symbol.asyncDispose]() {
      const stop = [...(namespace?.enter ?? []), binary, "daemon", "stop"];
      await Bun.spawn(stop, { cwd: "/", env, stdout: "ignore", stderr: "ignore" }).exited;
      for (const pid of started) endProcess(pid); // one that a transcript left stopped, or without its record
      namespace?.holder.kill("SIGKILL");
      await namespace?.holder.exited;
      dir[Symbol.dispose]();
    },
  };
}

/** Whether this user may mount, which on most machines only root may. */
export const mayMount =
  process.platform === "linux" && Bun.which("nsenter") !== null && process.getuid?.() === 0
    ? Bun.spawnSync(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).exitCode === 0
    : false;

/** A mount namespace of its own, as long as its holder lives. */
export interface Namespace {
  holder: Bun.Subprocess<"pipe", "pipe">;
  pid: number;
  /** Put before a command, runs it there. */
  enter: string[];
}

/** A namespace in which the command line `mount` has been run. */
export async function openNamespace(mount: string, env: Record<string, string> = {}): Promise<Namespace> {
  // `cat` holds the namespace open until its standard input closes, should the tests be killed.
  const holder = Bun.spawn(["unshare", "-m", "/bin/sh", "-ec", `${mount}; echo ready; exec cat`], {
    env: { PATH: process.env.PATH, ...env },
    stdin: "pipe",
    stdout: "pipe",
  });
  const { value } = await holder.stdout.getReader().read();
  if (value === undefined) throw new Error(`cannot mount: ${mount}`);
  return { holder, pid: holder.pid, enter: ["nsenter", "-t", String(holder.pid), "-m", "--"] };
}

const expand = (path: string, place: Record<string, string>) =>
  path.replace(/\$([A-Z]+)/g, (_, name: string) => place[name] ?? "");

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** What differs from run to run, by names. */
function neutral(text: string, place: Record<string, string>): string {
  let plain = text.replaceAll(binary, "$BIN/roborev");
  for (const name of ["DATA", "REPO", "WORK", "BIN", "HOME", "ROOT"])
    plain = plain.replaceAll(place[name] as string, `$${name}`);
  for (const [sha, subject] of commits(place.REPO as string)) {
    plain = plain.replace(new RegExp(`\\b${sha.slice(0, 7)}(${sha.slice(7)})?\\b`, "g"), `<${subject}>`);
  }
  return plain
    .replace(/\bv?\d+\.\d+\.\d+(-dev)?\+[0-9a-z.]+/g, "<version>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<timestamp>")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
    .replace(/\b[0-9a-f]{40}\b/g, "<sha>")
    .replace(/\b[0-9a-f]{32}\b/g, "<hash>")
    .replace(/(\bpid"?:? )\d+/g, "$1<pid>")
    .replace(/\b\d+ KiB left/, "<n> KiB left")
    .replace(/\b[\d.]+ [KMGT]iB free\b/g, "<n> GiB free")
    .replace(/\bsound, [\d.]+ KiB\b/g, "sound, <n> KiB")
    .replace(/(uptime_seconds": )\d+/g, "$1<time>")
    .replace(/("worker_id": ")[^"]*/g, "$1<worker>")
    .replace(/(\bfor |\bin |\s)\d+(\.\d+)?(s|m\d\ds)\b/g, "$1<time>")
    .replace(/\bfor 1[12]h\d\dm at most/g, "for <time> at most")
    .replace(/\b[A-Z][a-z]{2} \d\d \d\d:\d\d\b/g, "<date>");
}

function commits(repo: string): [sha: string, subject: string][] {
  if (!existsSync(join(repo, ".git/logs"))) return [];
  const log = git(repo, "log", "--branches", "--reflog", "--format=%H %s");
  return log
    .split("\n")
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

function daemonPid(dataDir: string): number | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, "daemon.json"), "utf8")).pid;
  } catch {
    return undefined; // none was started
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself
  }
}
