import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reviewerNames } from "../../../../src/review/agents/registry.ts";
import { createRenderer, type RenderOptions } from "../../../../src/review/agents/render/renderer.ts";
import { fixture, lines } from "../fixture.ts";

/** What a whole output is shown as, fed in chunks of `size` bytes. */
function rendered(
  reviewer: string | undefined,
  text: string | Uint8Array,
  options: RenderOptions & { size?: number } = {},
): string {
  const renderer = createRenderer(reviewer, options);
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const size = options.size ?? bytes.length + 1;
  let shown = "";
  for (let at = 0; at < bytes.length; at += size) shown += renderer.feed(bytes.subarray(at, at + size));
  return shown + renderer.end();
}

const tags: RenderOptions = { paint: (style, text) => `<${style}>${text}</${style}>` };
const review = `First I look.

→ Read /trap/worktree/a.txt

## Review Findings
- **Severity**: High
- **Location**: a.txt:1
- **Problem**: wrong
- **Fix**: right
`;
const asShown: Record<string, (text: string) => string> = {
  codex: (text) =>
    `Model metadata for \`stub-model\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.\n${text.replace("Read /trap/worktree/a.txt", "Bash cat '/trap/worktree/a.txt'")}`,
  cursor: (text) => `Let me see.\n${text}`,
};

describe.each(["codex", "claude-code", "copilot", "cursor", "droid", "gemini", "grok", "opencode", "qwen"])(
  "%s",
  (name) => {
    const recorded = fixture(`${name}-review.jsonl`);
    const expected = asShown[name]?.(review) ?? review;

    test("a recorded review reads like a conversation: words as they are, a line for each tool", () => {
      for (const size of [1, 7, 4096, 1_000_000]) expect(rendered(name, recorded, { size })).toBe(expected);
    });

    test("a log of several parts shows each of them, tools with the same id too", () => {
      const next = recorded
        .replaceAll(/([0-9a-f]{4})-([0-9a-f]{4})/g, "$2-$1")
        .replaceAll("ses_dd", "ses_ee");
      expect(rendered(name, recorded + next)).toBe(`${expected}\n${expected}`);
    });

    test("lines that are none of its events are shown, wherever they stand", () => {
      const odd = '{"type":"of-tomorrow","text":"new"}';
      const shown = rendered(name, `warning: old\n${recorded}${odd}\n{"type":"cut off`);
      const dense = (text: string) => text.replace(/\n+/g, "\n");
      expect(dense(shown)).toBe(dense(`warning: old\n${expected}${odd}\n{"type":"cut off\n`));
    });
  },
);

test("a failure is told once, in the words of the program", () => {
  const shown = rendered("codex", fixture("codex-quota.jsonl"), tags);
  expect(shown.match(/Failed/g)).toHaveLength(1);
  expect(shown).toEndWith("<red>Failed: quota exceeded: your credit balance is too low</red>\n");
});

test("a codex command is shown once, when it begins; its output is not", () => {
  const item = (type: string, id: string, command: string) => ({
    type,
    item: { id, type: "command_execution", command, aggregated_output: "SECRET" },
  });
  const shown = rendered(
    "codex",
    lines(
      item("item.started", "item_1", "go test ./..."),
      item("item.updated", "item_1", "go test ./..."),
      item("item.completed", "item_1", "go test ./..."),
      item("item.completed", "item_2", "go test ./..."),
    ),
  );
  expect(shown).toBe("→ Bash go test ./...\n→ Bash go test ./...\n");
});

test("a message that grows is shown as it grows, and one that changes is shown anew", () => {
  const say = (text: string, id = "a") => ({
    type: "item.updated",
    item: { id, type: "agent_message", text },
  });
  expect(rendered("codex", lines(say("No is"), say("No issues."), say("No issues.")))).toBe("No issues.\n");
  expect(rendered("codex", lines(say("Draft"), say("Final."), say("More.", "b")))).toBe(
    "Draft\nFinal.\nMore.\n",
  );
});

test("pieces are joined to lines, whatever is thought in between", () => {
  const say = (data: string) => ({ type: "text", data });
  const think = (data: string) => ({ type: "thought", data });
  const shown = rendered("grok", lines(think("Hm"), think("m."), say("One"), say(".\nTw"), say("o.")), tags);
  expect(shown).toBe("<dim>Hmm.</dim>\nOne.\nTwo.\n");
});

test("what was said is not repeated by a result, and what only the result says is shown", () => {
  const assistant = { type: "assistant", message: { id: "1", content: [{ type: "text", text: "Said." }] } };
  const result = (text: string) => ({ type: "result", subtype: "success", is_error: false, result: text });
  expect(rendered("claude-code", lines(assistant, result("Said.")))).toBe("Said.\n");
  expect(rendered("claude-code", lines(assistant, result("More.")))).toBe("Said.\nMore.\n");
  expect(rendered("cursor", lines(result("Alone.")))).toBe("Alone.\n");
  expect(rendered("droid", lines({ type: "completion", finalText: "Alone." }))).toBe("Alone.\n");
});

test("what a sub-agent does is shown, dim where it speaks", () => {
  const part = (content: object) => ({
    type: "assistant",
    parent_tool_use_id: "toolu_1",
    message: { id: "9", content: [content] },
  });
  const tool = { type: "tool_use", id: "t", name: "Glob", input: { pattern: "*.ts", path: "src" } };
  expect(rendered("claude-code", lines(part({ type: "text", text: "inner" }), part(tool)), tags)).toBe(
    "<dim>inner</dim>\n\n→ <bold>Glob</bold> *.ts in src\n",
  );
});

test("nothing of it is a command to a terminal, and colours of the program leave nothing behind", () => {
  const esc = "\u001b";
  const shown = rendered(
    "codex",
    `${esc}[31mred${esc}[0m\r\n${lines({
      type: "item.completed",
      item: { type: "command_execution", id: "1", command: `rm ${esc}]0;title\u0007 -r\n\u202ex` },
    })}${lines({ type: "item.completed", item: { type: "agent_message", id: "2", text: `a${esc}[2J\u202eb\tc` } })}`,
  );
  expect(shown).toBe("red\n\n→ Bash rm ]0;title -r x\n\na[2Jb  c\n");
});

test("a plain program, and one that nobody knows, is shown as it is", () => {
  const text = `${"\u00e4\u20ac\u{1f600} line\n".repeat(20)}\n\nlast`;
  for (const name of ["test", "hermes", "of-tomorrow", undefined])
    for (const size of [1, 3, 1000]) expect(rendered(name, text, { size })).toBe(`${text}\n`);
});

test("bytes of any kind in pieces of any size never throw, and no word is lost", () => {
  const word = fc.stringMatching(/^[a-z]{3,8}$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...reviewerNames()),
      fc.array(fc.oneof(word, fc.string({ unit: "binary" }), fc.json(), fc.constantFrom("\r", "\n", "{}"))),
      fc.integer({ min: 1, max: 50 }),
      word,
      (name, parts, size, last) => {
        const shown = rendered(name, `${parts.join("\n")}\n${last}`, { size });
        expect(shown).toEndWith(`${last}\n`);
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      },
    ),
    { numRuns: 200 },
  );
});
