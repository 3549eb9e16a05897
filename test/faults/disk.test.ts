import { test } from "bun:test";
import { join } from "node:path";
import { playTranscript, promiseOf } from "../scenarios/play.ts";
import { mayMount } from "../scenarios/stage.ts";

const cases: [file: string, mount: string][] = [
  ["a-full-disk-is-told-and-survived.txt", 'mount -t tmpfs -o size=4m,mode=700 tmpfs "$HOME"'],
  ["a-read-only-home-is-told-in-one-line-and-git-goes-on.txt", 'mount -t tmpfs -o ro tmpfs "$HOME"'],
  ["a-home-that-turned-read-only-is-told-in-one-line.txt", 'mount -t tmpfs tmpfs "$HOME"'],
];

// Mounting needs root and Linux.
test.skipIf(!mayMount).each(cases.map(([file, mount]) => [promiseOf(file), file, mount]))(
  "G7 %s",
  (_, file, mount) => playTranscript(join(import.meta.dir, file), mount),
  30_000,
);
