import { expect, test } from "bun:test";
import { accountOf } from "../../../src/review/fix/account.ts";
import { readAnswers } from "../../../src/review/fix/answer.ts";
import { entry } from "../prompt/fix/sample.ts";

const reason = "the list is never empty here";

test("what an agent says of each finding is read in whatever Markdown it is dressed", () => {
  const said = `Some prose about finding 1: it was odd.
FINDING 1: FIXED - ${reason}
- **Finding 2: REFUTED** — ${reason}
3. finding #3: deferred: ${reason}
> \`JOB 7 FINDING 4: REFUTED\`
>   ${reason}
## Job 9, Finding 5 - Fixed`;
  expect(readAnswers(said)).toEqual([
    { finding: 1, disposition: "fixed", reason },
    { finding: 2, disposition: "refuted", reason },
    { finding: 3, disposition: "deferred", reason },
    { jobId: 7, finding: 4, disposition: "refuted", reason },
    { jobId: 9, finding: 5, disposition: "fixed", reason: "" },
  ]);
});

test("a line that gives no reason does not borrow the next finding's", () => {
  expect(readAnswers(`FINDING 1: REFUTED\nFINDING 2: REFUTED - ${reason}`)[0]).toMatchObject({ reason: "" });
});

const refute = (number: number) => `FINDING ${number}: REFUTED - ${reason}`;
const account = (text: string, isOnly = true) => accountOf(text, entry(), { floor: undefined, isOnly });

test.each([
  ["each refuted with a reason", `${refute(1)}\n${refute(2)}`, true, false],
  ["one is not mentioned", refute(1), false, false],
  ["one is put off", `${refute(1)}\nFINDING 2: DEFERRED - ${reason}`, false, true],
  ["one is said to be fixed", `${refute(1)}\nFINDING 2: FIXED`, false, false],
  ["the example of the prompt, repeated", "FINDING 1: REFUTED - …\nFINDING 2: REFUTED - …", false, false],
  ["reasons that are none", "FINDING 1: REFUTED - no.\nFINDING 2: DEFERRED - n/a", false, false],
  ["the last word counts", `${refute(1)}\n${refute(2)}\nFINDING 2: DEFERRED - ${reason}`, false, true],
  ["of another job", `JOB 8 ${refute(1)}\nJOB 8 ${refute(2)}`, false, false],
  ["with its own job", `JOB 7 ${refute(1)}\nJOB 7 ${refute(2)}`, true, false],
])("an account of findings: %s", (_, text, refuted, deferred) => {
  expect(account(text)).toMatchObject({ refuted, deferred });
});

test("among several reviews a line that names no job speaks of none of them", () => {
  const text = `${refute(1)}\n${refute(2)}`;
  expect(account(text, false)).toEqual({ words: [], refuted: false, deferred: false });
});

test("only findings that were asked for are accounted for: those below the floor and unknown ones are not", () => {
  const text = [1, 2, 3].map(refute).join("\n");
  const { words, refuted } = accountOf(text, entry(), { floor: "medium", isOnly: true });
  expect(words.map(({ finding }) => finding)).toEqual([1]);
  expect(refuted).toBe(true);
  const whole = accountOf(refute(1), entry({ findings: [] }), { floor: "medium", isOnly: true });
  expect(whole).toEqual({ words: [], refuted: true, deferred: false });
});
