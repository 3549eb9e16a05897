import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { Key } from "ink";
import { paletteOf } from "../../src/tui/color-mode.ts";
import { keyPresses } from "../../src/tui/input.ts";
import type { KeyPress, Message } from "../../src/tui/message.ts";
import { withoutMouse } from "../../src/tui/mouse-input.ts";

const none = {} as Key;

test("keys are told by their names, and text is what was typed, character by character", () => {
  const up: KeyPress = { name: "up", text: "", ctrl: false };
  expect(keyPresses("", { ...none, upArrow: true, ctrl: false })).toEqual([up]);
  expect(keyPresses("", { ...none, delete: true, ctrl: false })).toMatchObject([{ name: "backspace" }]);
  const plain = { ...none, ctrl: false, meta: false };
  expect(keyPresses("q", plain)).toEqual([{ name: "text", text: "q", ctrl: false }]);
  expect(keyPresses("c", { ...plain, ctrl: true })).toEqual([{ name: "text", text: "c", ctrl: true }]);
  expect(keyPresses("F宽\n\u0015\t\r", plain).map(({ name, text, ctrl }) => [name, text, ctrl])).toEqual([
    ["text", "F", false],
    ["text", "宽", false],
    ["text", "j", true],
    ["text", "u", true],
    ["tab", "", false],
    ["enter", "", false],
  ]);
  expect(keyPresses("q", { ...plain, meta: true })).toEqual([]);
});

/** What the program gets of these chunks. */
function sent(...chunks: string[]) {
  const stdin = Object.assign(new EventEmitter(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} });
  const mouse: Message[] = [];
  let clock = 0;
  using input = withoutMouse(
    stdin as never,
    (message) => mouse.push(message),
    () => ++clock,
  );
  for (const chunk of chunks) stdin.emit("data", Buffer.from(chunk));
  let keys = "";
  for (let chunk = input.read(); chunk !== null; chunk = input.read()) keys += String(chunk);
  return { mouse, keys };
}

test("reports of the mouse are taken out of what is typed, wherever a chunk ends", async () => {
  const { mouse, keys } = sent(
    "a\u001b[<0;12;5Mb",
    "\u001b[<0;12;5m\u001b[<64;",
    "1;1Mc\u001b[A\u001b[<2;1;1M",
  );
  expect(keys).toBe("abc\u001b[A");
  expect(mouse).toEqual([
    { kind: "mouse", mouse: { kind: "click", row: 4 }, isDouble: false },
    { kind: "mouse", mouse: { kind: "wheelUp", row: 0 }, isDouble: false },
  ]);
});

test("two clicks on one row are a double click, on two rows they are not; an escape alone comes at once", async () => {
  const click = (row: number) => `\u001b[<0;1;${row}M`;
  const { mouse, keys } = sent(click(5), click(5), click(6), "\u001b");
  expect(mouse.map((message) => message.kind === "mouse" && message.isDouble)).toEqual([false, true, false]);
  expect(keys).toBe("\u001b");
});

test("colours follow NO_COLOR, ROBOREV_COLOR_MODE, a dumb terminal and the background", () => {
  expect(paletteOf({ TERM: "xterm" })).toEqual({ colour: true, isLight: false });
  expect(paletteOf({ NO_COLOR: "1" }).colour).toBe(false);
  expect(paletteOf({ NO_COLOR: "" }).colour).toBe(true);
  expect(paletteOf({ ROBOREV_COLOR_MODE: " None " }).colour).toBe(false);
  expect(paletteOf({ TERM: "dumb" }).colour).toBe(false);
  expect(paletteOf({ ROBOREV_COLOR_MODE: "light" }).isLight).toBe(true);
  expect(paletteOf({ ROBOREV_COLOR_MODE: "dark", COLORFGBG: "0;15" }).isLight).toBe(false);
  expect(paletteOf({ COLORFGBG: "0;15" }).isLight).toBe(true);
  expect(paletteOf({ COLORFGBG: "15;0" }).isLight).toBe(false);
});
