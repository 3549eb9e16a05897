import { expect, test } from "bun:test";
import { place } from "./place.ts";

test("wait says once what is wrong with a word that it does not understand", async () => {
  await using at = place();
  expect(await at.cli(["wait", "no-such"])).toEqual({
    code: 1,
    stdout: "",
    stderr: "Error: no-such is neither a commit nor a job number. roborev list shows the numbers.\n",
  });
});
