const sections: [title: string, keys: [keys: string, what: string][]][] = [
  [
    "Queue",
    [
      ["↑ k, ↓ j", "move"],
      ["PgUp, PgDn, g or Home, End", "move by pages, to the first, to the last that is loaded"],
      ["Enter", "the review"],
      ["p, l or t, m", "prompt, log, message of the commit"],
      ["a", "close the review, or open it again"],
      ["c", "comment on the review"],
      ["F, T", "have an agent fix it in the background, the fixes"],
      ["x, r", "cancel a job that has not ended, run an ended one again"],
      ["P", "pause the queue, or end the pause"],
      ["f, b", "filter by repository, by branch"],
      ["h", "hide what is closed, failed or canceled"],
      ["Esc", "take the last filter away"],
      ["o", "choose columns"],
      ["D", "nothing but the list"],
      ["L, Tab", "a review beside the list or not (140 x 36 and more), scroll that or the list"],
      ["q, Ctrl-C", "quit"],
    ],
  ],
  [
    "Review, prompt, log",
    [
      ["↑ k, ↓ j, PgUp, PgDn, Space, g, G", "scroll"],
      ["← →", "the job above, the job below"],
      ["p, l", "switch to prompt or log, and back"],
      ["y", "copy the review or the prompt"],
      ["a, c, m, x, r", "as in the queue"],
      ["g in a log", "follow its end, or go to its top"],
      ["Esc, q", "back"],
    ],
  ],
  [
    "Fixes",
    [
      ["Enter, p", "the patch; s there saves it to a file"],
      ["A", "apply the patch to the checkout of its branch, and commit it"],
      ["R", "have it made anew on the newest commit, where it does not apply"],
      ["P, l, x", "the review, the log, cancel"],
      ["Esc, T", "back"],
    ],
  ],
  [
    "Filter",
    [
      ["any letter", "search"],
      ["→, ←", "show or hide the branches of a repository"],
      ["Enter", "show only this"],
    ],
  ],
];

const keyWidth = Math.max(...sections.flatMap(([, keys]) => keys.map(([key]) => Bun.stringWidth(key))));

export const helpLines: string[] = sections.flatMap(([title, keys], index) => [
  ...(index === 0 ? [] : [""]),
  title,
  ...keys.map(([key, what]) => `  ${key}${" ".repeat(keyWidth - Bun.stringWidth(key) + 2)}${what}`),
]);
