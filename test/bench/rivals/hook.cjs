// The hook as a Node script: what it takes to ask the daemon on $SOCKET about a turn that ends.
const { readFileSync, writeSync } = require("node:fs");
const { request } = require("node:http");

const { session_id, hook_event_name, cwd, prompt_id, stop_hook_active } = JSON.parse(readFileSync(0, "utf8"));
const event = {
  session_id,
  hook_event_name,
  cwd,
  turn_id: prompt_id,
  stop_hook_active,
  channel: "block",
  ends_turn: true,
};
const body = JSON.stringify({ agent: "claude", event });
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
const options = { socketPath: process.env.SOCKET, path: "/api/agent-hook/event", method: "POST", headers };
const asked = request(options, (answer) => {
  let text = "";
  answer.setEncoding("utf8");
  answer.on("data", (chunk) => {
    text += chunk;
  });
  answer.on("end", () => {
    const { triggered, reason } = JSON.parse(text);
    writeSync(1, `${JSON.stringify(triggered ? { decision: "block", reason } : {})}\n`);
    process.exit(answer.statusCode === 200 ? 0 : 1);
  });
});
asked.end(body);
