const letters = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD".repeat(3);

/** One secret of each of the formats that turn up most. Made up, and put together here so that no scanner minds. */
export const secrets: Record<string, string> = {
  anthropic: `sk-ant-api03-${letters.slice(0, 60)}`,
  openai: `sk-proj-${letters.slice(0, 48)}`,
  openaiLegacy: `sk-${letters.slice(0, 48)}`,
  github: `ghp_${letters.slice(0, 36)}`,
  githubFine: `github_pat_${letters.slice(0, 60)}`,
  gitlab: `glpat-${letters.slice(0, 20)}`,
  aws: "AKIAQ3EXAMPLE7ZZ4KXQ",
  google: `AIza${letters.slice(0, 35)}`,
  googleOauth: `ya29.${letters.slice(0, 50)}`,
  slack: ["xoxb", "123456789012", letters.slice(0, 24)].join("-"),
  slackHook: `https://hooks.slack.com/${["services", "T0000", "B0000", letters.slice(0, 24)].join("/")}`,
  stripe: `sk_live_${letters.slice(0, 24)}`,
  npm: `npm_${letters.slice(0, 36)}`,
  pypi: `pypi-${letters.slice(0, 50)}`,
  huggingFace: `hf_${letters.slice(0, 34)}`,
  sendgrid: `SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`,
  jwt: `eyJ${letters.slice(0, 20)}.eyJ${letters.slice(0, 30)}.${letters.slice(0, 30)}`,
  telegram: `123456789:${letters.slice(0, 35)}`,
  age: `AGE-SECRET-KEY-1${letters.slice(0, 50).toUpperCase()}`,
  privateKey: `-----BEGIN ${"OPENSSH"} PRIVATE KEY-----\n${letters}\n-----END ${"OPENSSH"} PRIVATE KEY-----`,
};

/** Whether a text holds any of them, or the telling part of one; names those that it does. */
export function leaked(text: string): string[] {
  return Object.entries(secrets)
    .filter(([name, secret]) => text.includes(name === "privateKey" ? `\n${letters}` : secret))
    .map(([name]) => name);
}
