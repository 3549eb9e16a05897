import { UsageError } from "./errors.ts";

// Go's duration grammar: a sign, then numbers with units, largest magnitude an int64 of nanoseconds
// (https://pkg.go.dev/time#ParseDuration). Settings and flags share it with the Go program's users.
const nanoseconds: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  "\u00b5s": 1_000n, // micro sign
  "\u03bcs": 1_000n, // Greek mu
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maxNanoseconds = 2n ** 63n - 1n;

/** Milliseconds of a Go duration (`8h`, `1h30m`, `-1.5s`); a bare number other than 0 has no unit and is refused. */
export function parseGoDuration(text: string): number {
  const invalid = (problem: string) =>
    new UsageError(`invalid duration "${text}": ${problem}`, { hint: "Write it like 90s, 45m or 1h30m." });
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  let rest = text.slice(sign.length);
  if (rest === "0") return 0;
  if (rest === "") throw invalid("it is empty");
  let total = 0n;
  while (rest !== "") {
    const part = /^(\d*)(?:\.(\d*))?([^\d.]*)/.exec(rest);
    const [whole = "", fraction = "", unit = ""] = part?.slice(1) ?? [];
    if (whole === "" && fraction === "") throw invalid("a number is missing");
    const size = nanoseconds[unit];
    if (size === undefined) throw invalid(unit === "" ? "a unit is missing" : `unknown unit "${unit}"`);
    total += BigInt(whole || "0") * size + fractionOf(fraction, size);
    if (total > maxNanoseconds) throw invalid("it is too long");
    rest = rest.slice((part?.[0] ?? rest).length);
  }
  const milliseconds = Number(total) / 1e6;
  return sign === "-" && total !== 0n ? -milliseconds : milliseconds;
}

/** Digits after the point in units of `size`, rounded down; digits below a nanosecond do not count. */
function fractionOf(digits: string, size: bigint): bigint {
  const significant = digits.slice(0, 18);
  return significant === "" ? 0n : (BigInt(significant) * size) / 10n ** BigInt(significant.length);
}

/** The duration as Go prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatGoDuration(ms: number): string {
  const total = BigInt(Math.round(Math.abs(ms) * 1e6));
  const sign = ms < 0 && total !== 0n ? "-" : "";
  if (total === 0n) return "0s";
  for (const unit of ["ns", "\u00b5s", "ms"]) {
    const size = nanoseconds[unit] as bigint;
    if (total < size * 1000n) return `${sign}${decimal(total, size)}${unit}`;
  }
  const minutes = total / 60_000_000_000n;
  const seconds = `${decimal(total % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, size: bigint): string {
  const fraction = (value % size)
    .toString()
    .padStart(size.toString().length - 1, "0")
    .replace(/0+$/, "");
  return fraction === "" || size === 1n ? `${value / size}` : `${value / size}.${fraction}`;
}
