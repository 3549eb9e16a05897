import { createHash } from "node:crypto";
import { tarGz } from "../../build/tar.ts";
import { archiveName } from "../../src/update/platform.ts";
import { binary } from "./binary.ts";

export const platform = "linux_amd64";

/** A program of a release: the compiled binary behind two lines, so that its archive is small. */
export const asBuilt = `#!/bin/sh\nexec ${binary} "$@"\n`;

export interface ReleaseServer extends Disposable {
  url: string;
  /** What it has by its name; a function answers by itself. */
  files: Record<string, string | Uint8Array<ArrayBuffer> | (() => Response | Promise<Response>)>;
  /** What was asked for, in order. */
  asked: string[];
  archive: string;
}

/** A mirror on this machine with one release of one platform. */
export function releaseServer(version: string, program: string): ReleaseServer {
  const archive = archiveName(version, platform);
  const packed = tarGz([{ name: "roborev", content: new TextEncoder().encode(program), mode: 0o755 }]);
  const sum = createHash("sha256").update(packed).digest("hex");
  const files: ReleaseServer["files"] = {
    SHA256SUMS: `${"0".repeat(64)}  roborev_9.9.9_linux_arm64.tar.gz\n${sum}  ${archive}\n`,
    [archive]: packed,
  };
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      asked.push(name);
      const file = files[name];
      if (file === undefined) return new Response("none", { status: 404 });
      return typeof file === "function" ? file() : new Response(file);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    files,
    asked,
    archive,
    [Symbol.dispose]: () => void server.stop(true),
  };
}
