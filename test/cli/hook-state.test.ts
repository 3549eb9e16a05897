import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { reply } from "../client/fake-daemon.ts";
import { tempDir } from "../support/temp.ts";
import { deliveryRecord, fixSession, now, pendingReminder, worktreeOf } from "./hook-status/report.ts";
import { place } from "./place.ts";
import { runCli } from "./run-cli.ts";

const routes = {
  sessions: "GET /api/agent-hook/sessions",
  deliveries: "GET /api/agent-hook/deliveries",
  reset: "POST /api/agent-hook/reset",
  fixDone: "POST /api/agent-hook/fix-done",
};
const uuid = "2f1c9f3e-6a2b-4c56-9d0e-3b7a5a1e8c44";
const commands = [["status"], ["log"], ["reset", "s1"], ["reset", "--all"], ["fix-done", uuid]];
const delivered = (has_more: boolean, ...deliveries: ReturnType<typeof deliveryRecord>[]) => ({
  [routes.deliveries]: () => ({ deliveries, has_more }),
});
const accepting = {
  [routes.reset]: () => ({ ok: true }),
  [routes.fixDone]: () => ({ ok: true, released: true }),
};

describe("agent-hook status", () => {
  const state = {
    sessions: { "hermes:h1": { count: 3, pending_reminders: { q: pendingReminder() } } },
    fix_sessions: { [worktreeOf("/src/shop")]: fixSession() },
    deliveries: { d1: { agent: "claude" } },
  };

  test("--json is the whole state as the daemon has it, and asks for nothing else", async () => {
    await using at = place({ [routes.sessions]: () => state });
    const { stdout, stderr } = await at.cli(["agent-hook", "status", "--json"]);
    expect([JSON.parse(stdout), stderr]).toEqual([state, ""]);
    expect(at.daemon.seen.map(({ route }) => route)).toEqual(["GET /api/ping", routes.sessions]);
  });

  test("is text otherwise, with the five latest deliveries and every snooze", async () => {
    const snooze = { repo_name: "shop", repo_path: "/src/shop", worktree_path: "/src/shop", branch: "main" };
    const active_snoozes = [{ ...snooze, snoozed_until: "2026-01-02T15:04:05.000Z" }];
    await using at = place({
      [routes.sessions]: () => state,
      ...delivered(true, deliveryRecord()),
      "GET /api/status": () => ({ active_snoozes }),
    });
    const { stdout, stderr, code } = await at.cli(["agent-hook", "status"], { now });
    expect([stderr, code]).toEqual(["", 0]);
    expect(at.daemon.of(routes.deliveries)[0]?.query).toEqual({ limit: "5" });
    for (const title of ["Session ", "Queued ", "Fix sessions", "Snoozed:", "Delivered last:"])
      expect(stdout).toContain(title);
    expect(stdout).not.toContain("{");
  });

  test("says on top who switched reminders off: this shell, or the file of the daemon that is asked", async () => {
    await using at = place({
      [routes.sessions]: () => state,
      ...delivered(false),
      "GET /api/status": () => ({}),
    });
    writeFileSync(
      `${at.dataDir}/config.toml`,
      "[agent_hook]\nenabled = false\n[droid_hook]\nenabled = false\n",
    );
    const first = async (argv: string[], env = {}) =>
      (await at.cli(["agent-hook", "status", ...argv], { now, env })).stdout.split("\n")[0] as string;
    expect(await first([])).toBe(
      `Reminders are off: enabled = false in [agent_hook] of ${at.dataDir}/config.toml`,
    );
    expect(await first([], { ROBOREV_AGENT_HOOK: "0" })).toBe(
      "Reminders are off: ROBOREV_AGENT_HOOK=0 in this shell",
    );
    expect(await first(["--server", `unix://${at.daemon.socket}`])).toStartWith("Session ");
  });

  test("a daemon of before snoozes and deliveries is an error with what to do, never half a screen", async () => {
    const missing = { error: "no such route", code: "E_ROUTE" };
    await using at = place({
      [routes.sessions]: () => ({ sessions: {} }),
      [routes.deliveries]: () => reply(404, missing),
    });
    expect(await at.cli(["agent-hook", "status"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "Error: no such route. Bring it up to date with: roborev daemon restart\n",
    });
  });
});

describe("agent-hook log", () => {
  test("is a line a delivery, of one session where that is named, and says how to see more", async () => {
    await using at = place(
      delivered(true, deliveryRecord(), deliveryRecord({ stage: "acted", acted_by: "show" })),
    );
    const result = await at.cli(["agent-hook", "log", "--session", "s1", "--limit", "2"], { now });
    expect(result).toEqual({
      code: 0,
      stdout: [
        "Ago    Session    Because of  Stage        Reviews  Where",
        '3m07s  claude:s1  reviews     answered     12, 11   shop "main"',
        '3m07s  claude:s1  reviews     acted: show  12, 11   shop "main"',
        "",
      ].join("\n"),
      stderr: "There are more. See them with: roborev agent-hook log --session s1 --limit 4\n",
    });
    await at.cli(["agent-hook", "log"]);
    expect(at.daemon.of(routes.deliveries).map(({ query }) => query)).toEqual([
      { limit: "2", session_id: "s1" },
      { limit: "50" },
    ]);
  });

  test("--json is the bare list, whole", async () => {
    const deliveries = [deliveryRecord({ queued_at: "2026-01-02T11:00:00.000Z" })];
    await using at = place(delivered(false, ...deliveries));
    const { stdout, stderr } = await at.cli(["agent-hook", "log", "--json", "--limit", "0"]);
    expect([JSON.parse(stdout), stderr]).toEqual([deliveries, ""]);
    expect(at.daemon.of(routes.deliveries)[0]?.query).toEqual({ limit: "0" });
  });

  test("nothing delivered is said on standard error, and --json is an empty list", async () => {
    await using at = place(delivered(false));
    const said = async (...argv: string[]) => (await at.cli(["agent-hook", "log", ...argv])).stderr;
    expect(await said()).toBe("No reminder has been delivered yet.\n");
    expect(await said("--session", "a\u001b[1m\nb")).toBe(
      "No reminder has been delivered to session a [1m b.\n",
    );
    expect(await at.cli(["agent-hook", "log", "--json"])).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  });

  test("an odd limit is refused before anybody is asked", async () => {
    await using at = place();
    for (const limit of ["x", "-1", "10001", "1.5", ""])
      expect([limit, (await at.cli(["agent-hook", "log", `--limit=${limit}`])).code]).toEqual([limit, 2]);
    expect(at.daemon.seen).toEqual([]);
  });
});

describe("agent-hook reset", () => {
  test("needs an id or --all before it asks anybody, and prints the answer", async () => {
    await using at = place(accepting);
    const none = await at.cli(["agent-hook", "reset"]);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toStartWith("Error: reset requires a session id or --all\n");
    expect(at.daemon.seen).toEqual([]);
    const reset = async (...more: string[]) => (await at.cli(["agent-hook", "reset", ...more])).stdout;
    expect(await reset("s1")).toBe("Nothing is remembered any more of session s1.\n");
    expect(JSON.parse(await reset("s1", "--json"))).toEqual({ ok: true });
    expect(await reset("s1", "--all")).toBe("Nothing is remembered any more of any session.\n");
    expect(at.daemon.of(routes.reset).map((call) => call.body)).toEqual([
      { session_id: "s1" },
      { session_id: "s1" },
      { all: true },
    ]);
  });

  test("takes a session as status shows it, and refuses what stands for two", async () => {
    const key = `claude:${uuid}`;
    const sessions: Record<string, object> = { [key]: { count: 1 } };
    await using at = place({ ...accepting, [routes.sessions]: () => ({ sessions }) });
    expect((await at.cli(["agent-hook", "reset", "2f1c9f3e"])).code).toBe(0);
    sessions[`codex:${uuid}`] = { count: 1 };
    const result = await at.cli(["agent-hook", "reset", "2f1c9f3e"]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toBe(
      `Error: 2f1c9f3e stands for several sessions: ${key}, codex:${uuid}. Write more of the id.\n`,
    );
    expect(at.daemon.of(routes.reset).map((call) => call.body)).toEqual([{ session_id: key }]);
  });
});

describe("agent-hook fix-done", () => {
  test("98 says the one line that agents wait for", async () => {
    await using at = place(accepting);
    expect(await at.cli(["agent-hook", "fix-done", uuid.toUpperCase()])).toEqual({
      code: 0,
      stdout: `Completed Agent Hook fix session ${uuid}.\n`,
      stderr: "",
    });
    expect(at.daemon.of(routes.fixDone).map(({ body }) => body)).toEqual([
      { fix_session_id: uuid.toUpperCase() },
    ]);
    const json = await at.cli(["agent-hook", "fix-done", uuid, "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ ok: true, released: true });
  });

  test("98 an id that is over or unknown is no failure, and no success either", async () => {
    await using at = place({ [routes.fixDone]: () => ({ ok: true, released: false }) });
    expect(await at.cli(["agent-hook", "fix-done", uuid.toUpperCase()])).toEqual({
      code: 0,
      stdout: `Agent Hook fix session ${uuid} is over already, or is not known.\n`,
      stderr: "",
    });
  });

  test("98 a daemon that does not say whether there was one is believed", async () => {
    await using at = place({ [routes.fixDone]: () => ({ ok: true }) });
    const { stdout } = await at.cli(["agent-hook", "fix-done", uuid]);
    expect(stdout).toBe(`Completed Agent Hook fix session ${uuid}.\n`);
  });

  test("99 what is no UUID is refused before the daemon is contacted, exit 2", async () => {
    await using at = place(accepting);
    for (const word of [
      "",
      "nope",
      uuid.slice(1),
      `${uuid}0`,
      ` ${uuid}`,
      `${uuid}\n`,
      uuid.replaceAll("-", ""),
      "00000000-0000-0000-0000-000000000000",
    ]) {
      const result = await at.cli(["agent-hook", "fix-done", word]);
      expect([word, result.code, result.stdout]).toEqual([word, 2, ""]);
      expect(result.stderr).toStartWith("Error: parse fix session ID: ");
    }
    expect((await at.cli(["agent-hook", "fix-done", "a\u001b[2Jb"])).stderr).toStartWith(
      'Error: parse fix session ID: "a [2Jb" is not a UUID\n',
    );
    for (const argv of [[], [uuid, uuid]])
      expect((await at.cli(["agent-hook", "fix-done", ...argv])).code).toBe(2);
    expect(at.daemon.seen).toEqual([]);
  });

  test("100 goes to the daemon of --roborev-server, and to no other", async () => {
    await using named = place(accepting);
    await using own = place(accepting);
    const server = `unix://${named.daemon.socket}`;
    for (const flag of ["--roborev-server", "--server"]) {
      expect((await own.cli(["agent-hook", "fix-done", flag, server, uuid])).code).toBe(0);
      expect(named.daemon.of(routes.fixDone).splice(0)).toHaveLength(1);
      named.daemon.seen.length = 0;
    }
    const both = ["--server", "unix:///nowhere", "--roborev-server", server];
    expect((await own.cli(["agent-hook", "fix-done", ...both, uuid])).code).toBe(0);
    expect(own.daemon.seen).toEqual([]);
  });

  test("100 starts no daemon where an address is given", async () => {
    using dir = tempDir();
    const env = { ROBOREV_DATA_DIR: dir.join("data") };
    const argv = ["agent-hook", "fix-done", "--roborev-server", `unix://${dir.join("none.sock")}`, uuid];
    expect(await runCli(argv, { env })).toEqual({
      code: 1,
      stdout: "",
      stderr: `Error: no daemon is listening on ${dir.join("none.sock")}. Start it with: roborev daemon start\n`,
    });
    const odd = await runCli(["agent-hook", "fix-done", "--roborev-server", "http://example.com", uuid], {
      env,
    });
    expect([odd.code, odd.stdout]).toEqual([2, ""]);
  });
});

test.each(commands)(
  "84 a state that cannot be read is the daemon's error: agent-hook %s",
  async (...argv) => {
    const refusal = () =>
      reply(503, { error: "Agent Hook state is unavailable: not JSON", code: "E_HOOK_STATE" });
    await using at = place(Object.fromEntries(Object.values(routes).map((route) => [route, refusal])));
    expect(await at.cli(["agent-hook", ...argv])).toEqual({
      code: 1,
      stdout: "",
      stderr: "Error: Agent Hook state is unavailable: not JSON\n",
    });
  },
);
