import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place, ProgramKind } from "../program.ts";
import { writeConfig } from "./write.ts";

export const codex: ProgramKind = {
  name: "codex",
  env: () => ({ STUB_API_KEY: "not-a-secret" }),
  configure({ config, repo, port }) {
    const lines = [
      'model = "scripted"\nmodel_provider = "scripted"',
      'approval_policy = "never"\nsandbox_mode = "danger-full-access"',
      'check_for_update_on_startup = false\nweb_search = "disabled"',
      "[features]\nmulti_agent = true",
      "[analytics]\nenabled = false",
      `[model_providers.scripted]\nname = "scripted"\nbase_url = "http://127.0.0.1:${port}/v1"`,
      'wire_api = "responses"\nenv_key = "STUB_API_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0',
      `[projects.${JSON.stringify(repo)}]\ntrust_level = "trusted"`,
    ];
    writeConfig(join(config, "config.toml"), `${lines.join("\n")}\n`);
  },
  start: (prompt) => ["exec", prompt],
  resume: (prompt) => ["exec", "resume", "--last", prompt],
  // Since 0.144 at the latest; 0.124 runs every hook.
  asksTrust: (path) =>
    Bun.spawnSync([path, "exec", "--help"], { stdout: "pipe", stderr: "ignore" })
      .stdout.toString()
      .includes("--dangerously-bypass-hook-trust"),
  trust: trustHooks,
  readsTexts: true,
  reviewer: "codex",
};

interface ListedHook {
  key: string;
  currentHash: string;
}

/** Does what Codex's own /hooks review does: asks for each hook's hash and records it as trusted. */
async function trustHooks(path: string, { config, repo, env }: Place): Promise<void> {
  const server = Bun.spawn([path, "app-server"], {
    cwd: repo,
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const clientInfo = { name: "harness-e2e", version: "0" };
  for (const message of [
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [repo] } },
  ]) {
    server.stdin.write(`${JSON.stringify(message)}\n`);
  }
  server.stdin.flush();
  const limit = setTimeout(() => server.kill("SIGKILL"), 20_000);
  try {
    const hooks = await listedHooks(server.stdout);
    const tables = hooks.map(
      ({ key, currentHash }) =>
        `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
    );
    const file = join(config, "config.toml");
    const rest = readFileSync(file, "utf8").split("[hooks.state.")[0];
    writeFileSync(file, `${rest}${tables.join("")}`);
  } finally {
    clearTimeout(limit);
    server.kill();
    await server.exited;
  }
}

async function listedHooks(output: ReadableStream<Uint8Array>): Promise<ListedHook[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    for (const line of text.split("\n").slice(0, -1)) {
      const message = JSON.parse(line) as { id?: number; result?: { data?: { hooks: ListedHook[] }[] } };
      if (message.id === 2) return (message.result?.data ?? []).flatMap(({ hooks }) => hooks);
    }
  }
  throw new Error("codex app-server ended without listing its hooks");
}
