import { rmSync } from "node:fs";
import { tryLock } from "../../src/fs/lock.ts";
import { apiVersion, version } from "../../src/lib/version.ts";

// A stand-in for the daemon: holds the lock, answers ping and shutdown, and behaves as its first argument says.
// `<behaviour> <data dir> <socket>`, the last two words `daemon run` only for the process list.
const [behaviour, dataDir, socket] = process.argv.slice(2) as [string, string, string];
const lock = tryLock(`${dataDir}/daemon.lock.db`);
if (!lock) {
  console.error("another daemon holds the data directory");
  process.exit(1);
}
if (behaviour === "stubborn") process.on("SIGTERM", () => {});
if (behaviour !== "deaf") {
  rmSync(socket, { force: true });
  const old = behaviour === "old-level";
  Bun.serve({
    unix: socket,
    fetch(request) {
      if (new URL(request.url).pathname === "/api/shutdown") {
        if (behaviour !== "stubborn" && behaviour !== "ignores") setTimeout(() => process.exit(0), 5);
        return Response.json({}, { status: 202 });
      }
      return Response.json({
        service: "roborev",
        version: behaviour === "other-version" ? "0.0.1" : old ? "0.0.0" : version,
        api_version: old ? apiVersion + 1 : apiVersion,
        pid: process.pid,
        data_dir: dataDir,
      });
    },
  });
}
setInterval(() => {}, 1000);
// Also keeps the lock reachable: a collected database is closed, and the lock with it.
process.on("exit", () => lock.release());
console.log("ready");
