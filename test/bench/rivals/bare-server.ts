// A server that reads a request and answers what the daemon answers to an event of which it says nothing.
const answer = JSON.stringify({ session_id: "s", count: 0, threshold: 0, triggered: false });

Bun.serve({
  unix: process.argv[2] ?? "",
  async fetch(request) {
    await request.json();
    return new Response(answer, { headers: { "content-type": "application/json" } });
  },
});
