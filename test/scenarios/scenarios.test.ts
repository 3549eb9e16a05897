import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { playTranscript, promiseOf } from "./play.ts";
import { matchesLines, parseTranscript } from "./transcript.ts";

// What users see of every command: each `.txt` file here is a session with the compiled binary, its name the promise.

const names = readdirSync(import.meta.dir).filter((name) => name.endsWith(".txt"));

// Three at a time: a session mostly waits for processes.
const turns = [Promise.resolve(), Promise.resolve(), Promise.resolve()];
let next = 0;
function inTurn(work: () => Promise<void>): Promise<void> {
  const at = next++ % turns.length;
  const turn = (turns[at] as Promise<void>).then(work);
  turns[at] = turn.catch(() => undefined); // the test that it belongs to reports it
  return turn;
}

test.concurrent.each(names.map((name) => [promiseOf(name), name]))(
  "%s",
  (_, name) => inTurn(() => playTranscript(join(import.meta.dir, name))),
  600_000, // it runs while a session waits for its turn, too
);

test("a transcript says what was typed, what came back, and which files were there", () => {
  const text =
    "# note\n\n$ echo hi\n> hi\n>\n! oops\n? 3\n\n$ true\n-- shop/a b.txt --\nx\n-- bin/e --\n#!/bin/sh\n";
  expect(() => parseTranscript("> before any command\n")).toThrow("line 1");
  const { steps, files } = parseTranscript(text.replace("a b", "ab"));
  expect(steps).toEqual([
    { at: 3, command: "echo hi", stdout: ["hi", ""], stderr: ["oops"], code: 3 },
    { at: 9, command: "true", stdout: [], stderr: [], code: 0 },
  ]);
  expect(files.map(({ path }) => path)).toEqual(["shop/ab.txt", "bin/e"]);
});

test("three dots stand for any number of lines, everything else for itself", () => {
  expect(matchesLines(["a", "b", "c"], ["a", "...", "c"])).toBe(true);
  expect(matchesLines(["a", "c"], ["a", "...", "c"])).toBe(true);
  expect(matchesLines(["a", "b"], ["..."])).toBe(true);
  expect(matchesLines([], ["..."])).toBe(true);
  expect(matchesLines(["a", "b"], ["a"])).toBe(false);
  expect(matchesLines([], ["a"])).toBe(false);
});
