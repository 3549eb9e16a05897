import { accessSync, constants, statSync } from "node:fs";

/** Whether there is a file that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // gone, or not ours to run: exactly what is asked
  }
}
