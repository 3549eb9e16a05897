import { type FSWatcher, realpathSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { ConfigCache } from "../config/load.ts";
import type { GlobalConfig } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { failureReason, RoborevError } from "../lib/errors.ts";
import { changedKeys, needsRestart } from "./config-change.ts";

/** A new sound version of the user's configuration. */
export interface ConfigReloaded {
  at: Date;
  /** How many there were since the daemon started, this one included. */
  count: number;
  /** Names of the settings that are not what they were. */
  keys: string[];
}

export interface ConfigWatchOptions {
  path: string;
  config: ConfigCache;
  clock: Clock;
  onReloaded(reloaded: ConfigReloaded): void;
  /** The file broke, or broke in another way: the last sound version holds. */
  onBroken(problem: RoborevError): void;
  /** It cannot be watched. Changes take effect all the same, only nobody is told. */
  onError(error: unknown): void;
  /** Quiet time after the last change of the file. Default 200 ms. */
  debounceMs?: number;
}

/**
 * Tells when the configuration has changed. Whoever needs a setting reads it through the cache at that moment, which
 * looks at the file itself: nothing depends on this watch but those who are told.
 */
export class ConfigWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private checking: Promise<void> = Promise.resolve();
  private initial: GlobalConfig = {};
  private current: GlobalConfig = {};
  private brokenAs: string | undefined;
  private isStopped = false;
  private reloaded: ConfigReloaded | undefined;

  constructor(private readonly options: ConfigWatchOptions) {}

  /** What holds now is what changes are measured by. */
  async start(): Promise<void> {
    const { loaded, problem } = await this.options.config.loadOrKeep(this.options.path);
    this.initial = this.current = loaded.config;
    this.brokenAs = problem?.message;
    this.watchPlaces();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  /** The latest one, if any. */
  get last(): ConfigReloaded | undefined {
    return this.reloaded;
  }

  /** Names of changed settings that only the next start of the daemon takes in. */
  get pendingRestart(): string[] {
    return changedKeys(this.initial, this.current).filter(needsRestart);
  }

  /** Editors replace the file, so its directory is watched; where the file is a link, that of its target as well. */
  private watchPlaces(): void {
    const places = new Map([[dirname(this.options.path), basename(this.options.path)]]);
    try {
      const target = realpathSync(this.options.path);
      if (!places.has(dirname(target))) places.set(dirname(target), basename(target));
    } catch {
      // There is no file yet, or a link to nowhere.
    }
    for (const [directory, watcher] of this.watchers) {
      if (places.has(directory)) continue;
      watcher.close();
      this.watchers.delete(directory);
    }
    for (const [directory, name] of places)
      if (!this.watchers.has(directory)) this.watchPlace(directory, name);
  }

  private watchPlace(directory: string, name: string): void {
    const failed = (cause: unknown) => {
      this.watchers.delete(directory);
      const message = `cannot watch ${directory} for changes of ${name}: ${failureReason(cause)}`;
      this.options.onError(new RoborevError(message, { code: "E_WATCH", cause }));
    };
    try {
      const watcher = watch(directory, { persistent: false }, (_, changed) => {
        if (changed === name || changed === null) this.settle();
      });
      watcher.on("error", failed);
      this.watchers.set(directory, watcher);
    } catch (cause) {
      failed(cause);
    }
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.checking = this.checking.then(() => this.check()).catch(this.options.onError);
    }, this.options.debounceMs ?? 200);
  }

  private async check(): Promise<void> {
    const { loaded, problem } = await this.options.config.loadOrKeep(this.options.path);
    if (this.isStopped) return;
    this.watchPlaces();
    const wasBroken = this.brokenAs;
    this.brokenAs = problem?.message;
    if (problem) {
      if (problem.message !== wasBroken) this.options.onBroken(problem);
      return;
    }
    const keys = changedKeys(this.current, loaded.config);
    this.current = loaded.config;
    if (keys.length === 0) return;
    this.reloaded = { at: this.options.clock.now(), count: (this.reloaded?.count ?? 0) + 1, keys };
    this.options.onReloaded(this.reloaded);
  }
}
