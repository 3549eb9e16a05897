/** Pseudo-random whole numbers below the argument; the same seed gives the same run. */
export type Next = (below: number) => number;

export function random(seed: number): Next {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const encoder = new TextEncoder();
const oddValues = [
  ...["null", "true", "1e400", "-0", "123456789012345678901234567890", '""', '" "', "[]", "{}", "[[[]]]"],
  ...[
    '"\\ud800"',
    '"\\u0000"',
    '"__proto__"',
    '{"__proto__":{"a":1}}',
    '"git commit -C"',
    '"cd $(", "x":"git',
  ],
  `"${"x".repeat(5000)}"`,
  `${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
];
const oddBytes = [0x00, 0xff, 0xfe, 0xef, 0xc3, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x2c, 0x0a];

/** One of the ways in which a payload has been seen, or can be feared, to be broken. */
export function mutate(payload: Uint8Array, next: Next): Uint8Array {
  const text = new TextDecoder().decode(payload);
  switch (next(9)) {
    case 0: // ends too early
      return payload.slice(0, next(payload.length));
    case 1: // bytes that do not belong there
      return changed(payload, next);
    case 2: // another value
    case 3:
      return encoder.encode(replaceValue(text, oddValues[next(oddValues.length)] as string, next));
    case 4: // another name
      return encoder.encode(
        replaceNth(text, /"[a-z_]+":/g, `"${["cwd", "__proto__", "session_id", ""][next(4)]}":`, next),
      );
    case 5: // something around it
      return encoder.encode(
        [`\ufeff${text}`, `log\n${text}`, `${text}${text}`, `${text}\n\n`, `[${text}]`][next(5)] as string,
      );
    case 6: // a field less
      return encoder.encode(replaceNth(text, /\n\s*"[a-z_]+": [^{[\n]*,(?=\n)/g, "", next));
    case 7: // a field twice
      return encoder.encode(text.replace("{", `{"session_id": ${oddValues[next(oddValues.length)]},`));
    default:
      return changed(changed(payload, next), next);
  }
}

function changed(payload: Uint8Array, next: Next): Uint8Array {
  const copy = payload.slice();
  for (let count = 1 + next(4); count > 0; count--)
    copy[next(copy.length)] = oddBytes[next(oddBytes.length)] as number;
  return copy;
}

const replaceValue = (text: string, value: string, next: Next) =>
  replaceNth(text, /(?<=": )(?:"(?:[^"\\]|\\.)*"|true|false|null|\d+)/g, value, next);

function replaceNth(text: string, pattern: RegExp, replacement: string, next: Next): string {
  const matches = [...text.matchAll(pattern)];
  const match = matches[next(Math.max(1, matches.length))];
  if (!match) return text;
  return text.slice(0, match.index) + replacement + text.slice(match.index + match[0].length);
}
