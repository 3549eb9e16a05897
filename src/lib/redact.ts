// What the tokens, keys and passwords of common services look like. A log line or an error is worth less than a secret:
// better one word too many masked than one too few.
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\b(?:sk|rk|pk|whsec)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}/g, // Anthropic, OpenAI, OpenRouter, Stripe
  /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g,
  /\bgl(?:pat|ptt|dt|rt|soat|cbt|ft|imt|agent|oas)-[\w.-]{16,}/g, // GitLab
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, // AWS
  /\bAIza[\w-]{30,}/g, // Google
  /\bya29\.[\w-]{20,}/g,
  /\bxox[a-z](?:-[A-Za-z0-9]+){2,}/g, // Slack
  /\bxapp-[\w-]{20,}/g,
  /\bhttps:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks)\/[\w/-]+/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[\w-]{30,}/g,
  /\b(?:hf|gsk|xai|r8|dop_v1|doo_v1|shp(?:at|ca|pa|ss)|glsa|lin_api|figd|sbp|tskey|rubygems|dckr_pat|ATATT)[-_]?[\w=-]{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g, // SendGrid
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, // JSON Web Token
  /\b\d{8,10}:[\w-]{35}\b/g, // Telegram
];

/** `Authorization: Bearer x`, `user:password@host`, `https://token@host`, and `password = x` under any of the usual names. */
const named: readonly [RegExp, string][] = [
  [/\b(bearer|basic|token)(\s+)[\w.~+/=-]{16,}/gi, "$1$2"],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:"']*:[^\s/@"']+@/gi, "$1"],
  [/(\bhttps?:\/\/)[^\s/@:"']+@/gi, "$1"],
  [
    /((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credentials?|auth)["']?\s*[:=]\s*)(?:"[^"\n]*"|'[^'\n]*'|[^\s"',;&]+)/gi,
    "$1",
  ],
];

const mask = "[redacted]";

/** The text with everything in it that looks like a secret masked; for what is logged, stored as an error or sent back. */
export function redactSecrets(text: string): string {
  let result = text;
  for (const shape of shapes) result = result.replace(shape, mask);
  for (const [shape, kept] of named) {
    result = result.replace(shape, (whole, ...groups: unknown[]) => {
      const start = kept === "$1$2" ? `${groups[0]}${groups[1]}` : String(groups[0]);
      return `${start}${mask}${whole.endsWith("@") ? "@" : ""}`;
    });
  }
  return result;
}

const flagOfSecret = String.raw`--?[\w-]*(?:key|token|secret|password|passwd|auth|credential)[\w-]*`;
const secretFlag = new RegExp(`^${flagOfSecret}$`, "i");
const secretFlagWithValue = new RegExp(
  String.raw`((?:^|\s)${flagOfSecret}[\s=]+)(?:"[^"]*"|'[^']*'|[^\s-]\S*)`,
  "gi",
);

/** A command line for display: values of flags that take secrets are masked, and whatever looks like one. */
export function redactedCommandLine(argv: readonly string[]): string {
  return argv
    .map((word, index) => (secretFlag.test(argv[index - 1] ?? "") && !word.startsWith("-") ? mask : word))
    .map(redactSecrets)
    .join(" ");
}

/** The same for a command line in one piece, as a configuration holds it. */
export function redactedCommandText(text: string): string {
  return redactSecrets(text.replace(secretFlagWithValue, `$1${mask}`));
}

/** Scheme and host of an address: the path and the query of a webhook often are its password. */
export function redactedUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "(no address)" : `${parsed.protocol}//${parsed.host}/...`;
}
