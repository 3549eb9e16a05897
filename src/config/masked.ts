import { redactedCommandText, redactSecrets } from "../lib/redact.ts";

export type ConfigValue = string | number | boolean | readonly string[];

const isSecret = /(^|_)(key|token|secret|password)$/;
const isReference = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/**
 * A value as it may be shown: of a key that holds a secret the last four characters, elsewhere everything but what
 * looks like one. A reference to a variable (`${NAME}`) is none.
 */
export function maskedValue(key: string, value: ConfigValue): ConfigValue {
  if (typeof value === "string") return maskedText(key, value);
  return Array.isArray(value) ? value.map((text: string) => maskedText(key, text)) : value;
}

function maskedText(key: string, text: string): string {
  if (isSecret.test(key)) return text === "" || isReference.test(text) ? text : tail(text);
  return key.endsWith("_cmd") ? redactedCommandText(text) : redactSecrets(text);
}

/** Of a short secret four characters would be too many. */
const tail = (secret: string) => `****${secret.length < 20 ? "" : secret.slice(-4)}`;

/** Whether what is to be stored is what is shown in place of a secret: somebody copied it from there. */
export function isMasked(key: string, text: string): boolean {
  if (isSecret.test(key)) return /^\*{4}.{0,4}$/.test(text.trim());
  return key.endsWith("_cmd") && text.includes("[redacted]");
}
