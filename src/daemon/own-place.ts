import { statSync } from "node:fs";
import { errorCode } from "../lib/errors.ts";

const intervalMs = 5_000;

/** Whether the data directory is still the one in which this daemon holds the lock. */
export interface OwnPlace extends Disposable {
  isOurs(): boolean;
  /** Resolves once it is not: nobody can find this daemon any more, and another one may start at any moment. */
  gone: Promise<string>;
}

/** Watches the file of the lock. It is only looked at: to open and close it would give the lock up. */
export function watchPlace(lockPath: string, everyMs: number = intervalMs): OwnPlace {
  const idOf = () => {
    try {
      const { dev, ino } = statSync(lockPath);
      return `${dev}:${ino}`;
    } catch (error) {
      if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
      return first; // a moment's trouble of the file system is no reason to end
    }
  };
  let first: string | undefined;
  first = idOf();
  const isOurs = () => idOf() === first;
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  const timer = setInterval(() => {
    if (!isOurs()) resolve("its data directory is gone");
  }, everyMs);
  return { isOurs, gone, [Symbol.dispose]: () => clearInterval(timer) };
}
