#!/bin/bash
# The hook as a shell script: what it takes to ask the daemon on $SOCKET about a turn that ends.
set -eu
body=$(jq -c '{agent: "claude", event: {session_id, hook_event_name, cwd, turn_id: .prompt_id, stop_hook_active, channel: "block", ends_turn: true}}')
curl -sS --unix-socket "$SOCKET" -H 'content-type: application/json' --data-binary "$body" http://localhost/api/agent-hook/event |
  jq -c 'if .triggered then {decision: "block", reason} else {} end'
