import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a program finds its configuration, its model and the repository. */
export interface Place {
  config: string;
  repo: string;
  port: number;
  env: Record<string, string>;
}

/** What differs between the programs when they are driven without a terminal. */
export interface Program {
  name: "claude" | "codex";
  path: string;
  version: string;
  /** Below HOME. */
  configDirectory: string;
  /** Moves it. */
  configVariable: string;
  /** Below that directory. */
  hooksFile: string;
  env(port: number): Record<string, string>;
  configure(place: Place): void;
  start(prompt: string): string[];
  /** Continues the last session. */
  resume(prompt: string): string[];
  /** Runs only hooks that the user trusts. */
  asksTrust: boolean;
  /** Gives our hooks the trust that the user would give them. */
  trust(place: Place): Promise<void>;
}

export function claudeProgram(path: string): Program {
  return {
    name: "claude",
    path,
    version: versionOf(path),
    configDirectory: ".claude",
    configVariable: "CLAUDE_CONFIG_DIR",
    hooksFile: "settings.json",
    env: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "not-a-secret",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    }),
    configure({ config }) {
      mkdirSync(config, { recursive: true });
      const settings = { permissions: { allow: ["Bash", "Task", "Agent"] } };
      writeFileSync(join(config, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
    },
    start: (prompt) => ["-p", "--model", "sonnet", prompt],
    resume: (prompt) => ["-p", "--model", "sonnet", "--continue", prompt],
    asksTrust: false,
    trust: async () => {},
  };
}

export function codexProgram(path: string): Program {
  return {
    name: "codex",
    path,
    version: versionOf(path),
    configDirectory: ".codex",
    configVariable: "CODEX_HOME",
    hooksFile: "hooks.json",
    env: () => ({ STUB_API_KEY: "not-a-secret" }),
    configure({ config, repo, port }) {
      mkdirSync(config, { recursive: true });
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
      writeFileSync(join(config, "config.toml"), `${lines.join("\n")}\n`);
    },
    start: (prompt) => ["exec", prompt],
    resume: (prompt) => ["exec", "resume", "--last", prompt],
    // Since 0.144 at the latest; 0.124 runs every hook.
    asksTrust: outputOf([path, "exec", "--help"]).includes("--dangerously-bypass-hook-trust"),
    trust: (place) => trustCodexHooks(path, place),
  };
}

interface ListedHook {
  key: string;
  currentHash: string;
}

/** Does what Codex's own /hooks review does: asks for each hook's hash and records it as trusted. */
async function trustCodexHooks(path: string, { config, repo, env }: Place): Promise<void> {
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

const versionOf = (path: string): string => outputOf([path, "--version"]).trim().split("\n").at(-1) ?? "?";

function outputOf(argv: string[]): string {
  return Bun.spawnSync(argv, { stdout: "pipe", stderr: "ignore" }).stdout.toString();
}
