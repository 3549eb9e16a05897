import { describe, expect, test } from "bun:test";
import { findReviewer } from "../../../../src/review/agents/registry.ts";
import type { Reviewer } from "../../../../src/review/agents/reviewer.ts";
import { fixture, lines, parseAll } from "../fixture.ts";

const parse = (name: string, text: string) => parseAll((findReviewer(name) as Reviewer).createParser(), text);
const events = (name: string, ...list: object[]) => parse(name, lines(...list));

describe("gemini", () => {
  const say = (content: string, delta = true) => ({ type: "message", role: "assistant", content, delta });

  test("A02 pieces are joined as they come, and a tool call ends what they say", () => {
    const call = { type: "tool_use", tool_name: "read_file" };
    expect(events("gemini", say("Look"), say("ing."), call, say("No iss"), say("ues.")).text).toBe(
      "No issues.",
    );
  });

  test("A02 a whole message replaces its pieces, and the prompt is not the review", () => {
    const prompt = { type: "message", role: "user", content: "prompt" };
    expect(events("gemini", prompt, say("No iss"), say("No issues.", false)).text).toBe("No issues.");
  });

  test("an error fails, a warning does not, and the first report is the cause", () => {
    const error = (severity: string, message: string) => ({ type: "error", severity, message });
    const result = { type: "result", status: "error", error: { message: "second" } };
    expect(events("gemini", say("x"), error("warning", "loop")).failure).toBeUndefined();
    expect(events("gemini", error("error", "first"), result).failure).toBe("first");
    expect(events("gemini", result).failure).toBe("second");
    expect(events("gemini", { type: "result", status: "error" }).failure).toBe("unknown error");
  });
});

describe("copilot", () => {
  const message = (messageId: string, content: string, toolRequests: object[] = []) => ({
    type: "assistant.message",
    data: { messageId, content, toolRequests },
  });

  test("A02 what is said together with a request for tools is working output", () => {
    const asked = message("m1", "Looking.", [{ name: "view" }]);
    const ran = { type: "tool.execution_complete", data: { success: true } };
    const read = events("copilot", asked, ran, message("m2", "One."), message("m3", "Two."));
    expect(read.text).toBe("One.\nTwo.");
  });

  test("A02 pieces of a message are not said twice", () => {
    const piece = { type: "assistant.message_delta", data: { messageId: "m1", deltaContent: "On" } };
    expect(events("copilot", piece, message("m1", "One.")).text).toBe("One.");
  });

  test("its error is the cause, its exit code only where it names none", () => {
    const error = { type: "session.error", data: { message: "402 quota" } };
    expect(events("copilot", error, { type: "result", exitCode: 1 }).failure).toBe("402 quota");
    expect(events("copilot", { type: "result", exitCode: 1 }).failure).toBe("exit code 1");
  });
});

describe("opencode", () => {
  const text = (id: string, said: string, more = {}) => ({ type: "text", part: { id, text: said, ...more } });

  test("A02 updates replace, parts are joined, a tool call drops what was before", () => {
    const tool = { type: "tool_use", part: { tool: "read" } };
    const read = events(
      "opencode",
      text("a", "x"),
      tool,
      text("b", "No"),
      text("b", "None."),
      text("c", "End."),
    );
    expect(read.text).toBe("None.\nEnd.");
  });

  test("D38 what it writes itself after cutting a conversation short is no review", () => {
    const overflow = {
      type: "error",
      error: { name: "ContextOverflowError", data: { message: "too long" } },
    };
    const own = text("s", "The conversation was compacted.", { synthetic: true });
    expect(events("opencode", overflow, own)).toMatchObject({
      text: "",
      failure: "ContextOverflowError: too long",
    });
  });
});

describe("droid", () => {
  test("A02 the last message counts; the completion only where there was none", () => {
    const message = (id: string, said: string) => ({ type: "message", role: "assistant", id, text: said });
    const completion = { type: "completion", finalText: "Two." };
    expect(
      events("droid", message("a", "One."), { type: "tool_call" }, message("b", "Two."), completion).text,
    ).toBe("Two.");
    expect(events("droid", completion).text).toBe("Two.");
  });

  test("the first error is the cause", () => {
    const error = (message: string) => ({ type: "error", message });
    expect(events("droid", error("400 too long"), error("Exec failed")).failure).toBe("400 too long");
  });
});

describe("grok", () => {
  test("A02 pieces are joined; only a new tool call, not news of an old one, ends what they say", () => {
    const say = (data: string) => ({ type: "text", data });
    const call = { type: "tool_call", toolCallId: "1" };
    const news = { type: "tool_call_update", toolCallId: "1" };
    expect(events("grok", say("Looking."), call, news, say("No is"), news, say("sues.")).text).toBe(
      "No issues.",
    );
  });
});

describe("qwen", () => {
  test("A04 an error within the result is the failure", () => {
    const result = { type: "result", subtype: "error_during_execution", is_error: true };
    expect(events("qwen", { ...result, error: { message: "[API Error: 400]" } }).failure).toBe(
      "[API Error: 400]",
    );
  });
});

describe("cursor", () => {
  const say = (text: string) => ({ type: "assistant", message: { content: [{ type: "text", text }] } });
  const result = (text: string) => ({ type: "result", subtype: "success", is_error: false, result: text });

  test("A02 its result repeats working output too, so it counts only where nothing else was said", () => {
    const call = { type: "tool_call", subtype: "started" };
    expect(events("cursor", say("Looking."), call, say("None."), result("Looking.None.")).text).toBe("None.");
    expect(events("cursor", say("Looking."), call, result("Looking.")).text).toBe("");
    expect(events("cursor", result("None.")).text).toBe("None.");
  });
});

describe("hermes", () => {
  const review =
    "## Review Findings\n- **Severity**: High\n- **Location**: a.txt:1\n- **Problem**: wrong\n- **Fix**: right";

  test("A02 its answer is the review, without the session that older versions name below it", () => {
    expect(parse("hermes", fixture("hermes-review.txt"))).toEqual({
      text: review,
      recognised: true,
      sessionId: "20261201_041200_ab12cd",
    });
    expect(parse("hermes", `${review}\n`)).toEqual({ text: `${review}\n`, recognised: true });
  });

  test("A05 a session alone is no answer, and one that could be an option is no session", () => {
    expect(parse("hermes", "\nsession_id: abc\n")).toMatchObject({ text: "", recognised: false });
    expect(parse("hermes", "Fine.\n\nsession_id: --yolo\n")).toEqual({ text: "Fine.", recognised: true });
  });
});
