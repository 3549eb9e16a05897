import { PassThrough } from "node:stream";
import type { Message, MousePress } from "./message.ts";

const doubleClickMs = 400;
const reports = /\u001b\[<(\d+);(\d+);(\d+)([Mm])/g;
/** The beginning of a report whose end has not come yet. */
const unfinished = /\u001b(?:\[(?:<[\d;]*)?)?$/;

/** A terminal's input: what Ink asks of it. */
type Input = Pick<NodeJS.ReadStream, "isTTY" | "setRawMode" | "ref" | "unref" | "on" | "off">;

/**
 * What a terminal sends, without the reports of its mouse (SGR 1006), which go to `onMouse`: Ink drops sequences that
 * it does not know.
 */
export function withoutMouse(
  stdin: Input,
  onMouse: (message: Extract<Message, { kind: "mouse" }>) => void,
  now: () => number,
): NodeJS.ReadStream & Disposable {
  const rest = new PassThrough();
  let last: { row: number; atMs: number } | undefined;
  let partial = "";
  const decoder = new TextDecoder();
  const press = (mouse: MousePress) => {
    const isDouble = mouse.kind === "click" && last?.row === mouse.row && now() - last.atMs < doubleClickMs;
    if (mouse.kind === "click") last = { row: mouse.row, atMs: now() };
    onMouse({ kind: "mouse", mouse, isDouble });
  };
  const onData = (chunk: Uint8Array | string) => {
    const text = partial + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
    // An escape that stands alone is a key: it waits for nothing.
    partial = text.length > 1 ? (unfinished.exec(text)?.[0] ?? "") : "";
    if (partial === "\u001b") partial = "";
    const whole = text.slice(0, text.length - partial.length);
    for (const [, button, , row, end] of whole.matchAll(reports)) {
      const mouse = mousePress(button as string, Number(row), end as string);
      if (mouse !== undefined) press(mouse);
    }
    const keys = whole.replace(reports, "");
    if (keys !== "") rest.write(keys);
  };
  stdin.on("data", onData);
  return Object.assign(rest, {
    isTTY: true as const,
    isRaw: true,
    fd: 0,
    setRawMode(isRaw: boolean) {
      stdin.setRawMode(isRaw);
      return this;
    },
    ref: () => stdin.ref(),
    unref: () => stdin.unref(),
    [Symbol.dispose]: () => void stdin.off("data", onData),
  }) as unknown as NodeJS.ReadStream & Disposable;
}

/** Presses of the first button and turns of the wheel; releases and all else are nothing. */
function mousePress(button: string, row: number, end: string): MousePress | undefined {
  if (end !== "M") return undefined;
  const kind = ({ "0": "click", "64": "wheelUp", "65": "wheelDown" } as const)[button];
  return kind === undefined ? undefined : { kind, row: row - 1 };
}
