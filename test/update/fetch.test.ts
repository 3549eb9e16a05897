import { expect, test } from "bun:test";
import { tempDir } from "../support/temp.ts";

test.skipIf(process.platform === "win32")(
  "a disk that takes no more is named with the file, and is no fault of the server's",
  async () => {
    using dir = tempDir();
    using server = Bun.serve({ port: 0, fetch: () => new Response(new Uint8Array(1024 * 1024)) });
    const module = new URL("../../src/update/fetch.ts", import.meta.url).href;
    const script = `const { downloadFile } = await import(process.argv[1]);
      const { message } = await downloadFile(process.argv[2], process.argv[3], new AbortController().signal).catch((error) => error);
      console.log(message);`;
    const argv = [process.execPath, "-e", script, module, server.url.href, dir.join("archive")];
    // The limit is in blocks of 512 or 1024 bytes, whatever the shell.
    const run = Bun.spawn(["sh", "-c", 'ulimit -f 10; exec "$@"', "sh", ...argv], { stdout: "pipe" });
    expect(await new Response(run.stdout).text()).toStartWith(`cannot write ${dir.join("archive")}: `);
  },
);
