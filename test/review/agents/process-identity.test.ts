import { expect, test } from "bun:test";
import { killReviewerGroup, startTimeOf } from "../../../src/review/agents/process-identity.ts";
import { waitFor } from "../../support/wait.ts";

function start(script: string, env: Record<string, string> = { ROBOREV_REVIEW_JOB: "1" }) {
  const child = Bun.spawn(["/bin/sh", "-c", script], {
    env: { PATH: "/usr/bin:/bin", ...env },
    stdout: "pipe",
    stderr: "ignore",
    stdin: "ignore",
    detached: true,
  });
  const startTime = startTimeOf(child.pid) as string;
  return {
    child,
    recorded: { pid: child.pid, startTime },
    [Symbol.dispose]: () =>
      void Bun.spawnSync(["kill", "-KILL", "--", `-${child.pid}`], { stderr: "ignore" }),
  };
}

const firstLine = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const { value } = await stream.getReader().read();
  return new TextDecoder().decode(value).trim();
};
const gone = (pid: number) => startTimeOf(pid) === undefined || isZombie(pid);
const onLinux = test.skipIf(process.platform !== "linux");
const isZombie = (pid: number) =>
  Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim()
    .startsWith("Z");

test("a process has one start time as long as it lives, and none afterwards", async () => {
  using one = start("exec sleep 60");
  expect(startTimeOf(one.child.pid)).toBe(one.recorded.startTime);
  one.child.kill("SIGKILL");
  await one.child.exited;
  expect(startTimeOf(one.child.pid)).toBeUndefined();
});

test("G11 a reviewer left behind is ended with its children, even those that ignore SIGTERM", async () => {
  using one = start("trap '' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait; wait");
  const inner = Number(await firstLine(one.child.stdout));
  expect(await killReviewerGroup(one.recorded)).toBe("killed");
  await one.child.exited;
  await waitFor("the child to end", () => gone(inner));
});

test("G12 a process that got the pid later is never signalled", async () => {
  using decoy = start("exec sleep 60");
  const recorded = { pid: decoy.child.pid, startTime: "1@another-boot" };
  expect(await killReviewerGroup(recorded)).toBe("foreign");
  expect(startTimeOf(decoy.child.pid)).toBe(decoy.recorded.startTime);
});

onLinux(
  "G11 members of a group whose leader is gone are ended when they carry a reviewer's or a fixer's variable",
  async () => {
    for (const name of ["ROBOREV_REVIEW_JOB", "ROBOREV_FIX_JOB"]) {
      using one = start("sleep 60 & echo $!", { [name]: "1" });
      const member = Number(await firstLine(one.child.stdout));
      await one.child.exited;
      expect(gone(member)).toBe(false);
      expect(await killReviewerGroup(one.recorded)).toBe("killed");
      await waitFor("the member to end", () => gone(member));
    }
  },
);

test("G12 members of a group whose leader is gone are left alone without that variable", async () => {
  using one = start("sleep 60 & echo $!", {});
  const member = Number(await firstLine(one.child.stdout));
  await one.child.exited;
  expect(await killReviewerGroup(one.recorded)).toBe("gone");
  expect(gone(member)).toBe(false);
});

test("G12 a record without an identity, or of the whole system, signals nobody", async () => {
  for (const pid of [-1, 0, 1, 1.5, Number.NaN])
    expect(await killReviewerGroup({ pid, startTime: "1" })).toBe("gone");
  using one = start("exec sleep 60");
  expect(await killReviewerGroup({ pid: one.child.pid, startTime: "" })).toBe("gone");
  expect(gone(one.child.pid)).toBe(false);
});
