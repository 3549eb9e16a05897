// The hook as the shortest Bun program: what it takes to ask the daemon on $SOCKET about a turn that ends.
const { session_id, hook_event_name, cwd, prompt_id, stop_hook_active } = JSON.parse(await Bun.stdin.text());
const event = {
  session_id,
  hook_event_name,
  cwd,
  turn_id: prompt_id,
  stop_hook_active,
  channel: "block",
  ends_turn: true,
};
const response = await fetch("http://localhost/api/agent-hook/event", {
  method: "POST",
  unix: process.env.SOCKET ?? "",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ agent: "claude", event }),
});
const { triggered, reason } = (await response.json()) as { triggered: boolean; reason?: string };
console.log(JSON.stringify(triggered ? { decision: "block", reason } : {}));
process.exitCode = response.status === 200 ? 0 : 1;

export {};
