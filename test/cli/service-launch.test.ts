import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { knownService, stopService } from "../../src/cli/service-launch.ts";
import { dataPaths } from "../../src/config/paths.ts";
import { tempDir } from "../support/temp.ts";

test.skipIf(process.platform !== "linux")(
  "a service file that cannot be read is told of, and keeps no daemon from starting or stopping",
  async () => {
    using dir = tempDir();
    mkdirSync(dir.join("systemd/user/roborev.service"), { recursive: true });
    const notes: string[] = [];
    const where = {
      env: { HOME: dir.path, XDG_CONFIG_HOME: dir.path },
      out: { note: (text: string) => void notes.push(text) },
      paths: () => dataPaths(dir.join("data")),
    };
    expect(await knownService(where)).toBeUndefined();
    await stopService(where);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toBe(
      `Whether the daemon has a service is not known: ${dir.join("systemd/user/roborev.service")} is no regular file`,
    );
  },
);
